#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace perf::hub {

/// Rows in the text format of COPY.
class CopyText {
 public:
  template <class... Values>
  void add(const Values&... values) {
    (add_value(values), ...);
    rows_.back() = '\n';
  }
  const std::string& rows() const { return rows_; }
  bool empty() const { return rows_.empty(); }

 private:
  template <class Value>
  void add_value(const Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      rows_ += value ? 't' : 'f';
    } else if constexpr (std::is_integral_v<Value>) {
      rows_ += std::to_string(value);
    } else {
      add_text(value);
    }
    rows_ += '\t';
  }
  template <class Value>
  void add_value(const std::optional<Value>& value) {
    if (value) {
      add_value(*value);
    } else {
      rows_ += "\\N\t";
    }
  }
  void add_text(std::string_view text) {
    for (const char byte : text) {
      switch (byte) {
        case '\\':
          rows_ += "\\\\";
          break;
        case '\n':
          rows_ += "\\n";
          break;
        case '\r':
          rows_ += "\\r";
          break;
        case '\t':
          rows_ += "\\t";
          break;
        default:
          rows_ += byte;
      }
    }
  }

  std::string rows_;
};

}  // namespace perf::hub

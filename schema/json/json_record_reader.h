#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "schema/formats/json.h"
#include "schema/json/value_kinds.h"
#include "schema/report.h"
#include "schema/text/lists.h"
#include "schema/text/utc_time.h"

namespace perf {

/// What becomes of a field that an object lacks, and of a count that is null: a fault, or what the
/// record has without it.
enum class Absent { is_fault, keeps_default };

/// The largest count that our writers write.
inline constexpr std::int64_t kLargestCount = 1'000'000'000;

/// The visitor of record_fields.h that reads the fields of a record from an object. Throws
/// formats::JsonFault, in place, for what json_writer.h does not write; members that no field is
/// named after are passed over.
class JsonRecordReader {
 public:
  JsonRecordReader(const formats::JsonValue& value, const std::string& subject, Absent absent)
      : object_(formats::as_object(value, subject)),
        offset_(value.offset),
        subject_(subject),
        absent_(absent) {}

  /// What may be null may be absent too: a field that is younger than the object.
  template <class Value>
  void operator()(const std::string& name, Value& value) {
    if (const formats::JsonValue* found = member(name, is_optional<Value>)) {
      read(*found, '"' + name + '"', value, absent_);
    }
  }
  void or_null(const std::string& name, std::string& text) {
    const formats::JsonValue* found = member(name);
    if (found != nullptr && !found->is_null()) {
      read(*found, '"' + name + '"', text, absent_);
    }
  }
  /// A time is for people: what is none is 0.
  void time(const std::string& name, std::int64_t& seconds) {
    std::string text;
    or_null(name, text);
    seconds = utc_seconds(text).value_or(0);
  }
  template <class Fields>
  void within(const std::string& name, const Fields& fields) {
    if (const formats::JsonValue* found = member(name)) {
      JsonRecordReader inner(*found, '"' + name + '"', absent_);
      fields(inner);
    }
  }

  /// Any value that json_of writes.
  template <class Value>
  static void read(const formats::JsonValue& json, const std::string& subject, Value& value,
                   Absent absent) {
    if constexpr (std::is_same_v<Value, bool>) {
      value = formats::as_bool(json, subject);
    } else if constexpr (std::is_integral_v<Value>) {
      const bool none = json.is_null() && absent == Absent::keeps_default;
      value = none ? Value{} : static_cast<Value>(count(json, subject));
    } else if constexpr (std::is_floating_point_v<Value>) {
      value = json.is_null() ? std::numeric_limits<double>::quiet_NaN()
                             : formats::as_number(json, subject);
    } else if constexpr (std::is_enum_v<Value>) {
      value = named<Value>(json, subject);
    } else if constexpr (is_optional<Value>) {
      json.is_null() ? value.reset() : read(json, subject, value.emplace(), absent);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = formats::as_text(json, subject);
    } else if constexpr (std::is_same_v<Value, Interval>) {
      value = interval(json, subject);
    } else if constexpr (std::is_same_v<Value, Params>) {
      value = formats::read_params(json, subject);
    } else if constexpr (is_list<Value>) {
      value.clear();
      for (const formats::JsonValue& one : formats::as_array(json, subject)) {
        read(one, "one of " + subject, value.emplace_back(), absent);
      }
    } else if constexpr (is_map<Value>) {
      for (const formats::JsonMember& one : formats::as_object(json, subject)) {
        read(one.value, formats::in_quotes(one.name), value[one.name], absent);
      }
    } else {
      JsonRecordReader inner(json, subject, absent);
      fields(inner, value);
    }
  }

 private:
  const formats::JsonValue* member(const std::string& name, bool may_lack = false) const {
    const formats::JsonMember* found = formats::find_member(object_, name);
    if (found == nullptr && absent_ == Absent::is_fault && !may_lack) {
      throw formats::JsonFault{offset_, subject_ + " has no \"" + name + '"'};
    }
    return found == nullptr ? nullptr : &found->value;
  }

  static std::int64_t count(const formats::JsonValue& json, const std::string& subject) {
    const std::int64_t read = formats::as_integer(json, subject);
    if (read < 0 || read > kLargestCount) {
      throw formats::JsonFault{json.offset, subject + " is no count"};
    }
    return read;
  }

  template <class Enum>
  static Enum named(const formats::JsonValue& json, const std::string& subject) {
    const std::string& word = formats::as_text(json, subject);
    if (const std::optional<Enum> value = perf::named<Enum>(word)) {
      return *value;
    }
    throw formats::JsonFault{json.offset, subject + " must be " + joined(kWords<Enum>, " or ") +
                                              ", not " + formats::in_quotes(word)};
  }

  static Interval interval(const formats::JsonValue& json, const std::string& subject) {
    const formats::JsonArray& ends = formats::as_array(json, subject);
    if (ends.size() != 2) {
      throw formats::JsonFault{json.offset, subject + " must be two numbers"};
    }
    return {formats::as_number(ends[0], subject), formats::as_number(ends[1], subject)};
  }

  const formats::JsonObject& object_;
  std::size_t offset_;
  std::string subject_;
  Absent absent_;
};

}  // namespace perf

#include <algorithm>
#include <cmath>
#include <istream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <tuple>
#include <utility>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

/// The characters of a text, and how many of them the parser has taken: it does not report places.
class Characters : public std::streambuf {
 public:
  explicit Characters(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());  // it is only read
    setg(begin, begin, begin + text.size());
  }
  std::size_t taken() const { return static_cast<std::size_t>(gptr() - eback()); }
};

/// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while parsing
/// value - invalid literal; last read: 'x'; expected ..." -> "invalid literal; expected ...". What
/// was read last is raw bytes of the file, of any length.
std::string words_of(std::string message, const std::string& last_read) {
  const std::string read = "; last read: '" + last_read + "'";
  if (const std::size_t at = message.find(read); at != std::string::npos) {
    message.erase(at, read.size());
  }
  constexpr std::string_view kBefore = " - ";
  return message.substr(message.find(kBefore) + kBefore.size());
}

/// Builds the tree from the parser's events; throws JsonFault at the first that is refused.
class TreeBuilder : public nlohmann::json::json_sax_t {
 public:
  TreeBuilder(std::string_view text, const JsonLimits& limits, const Characters& characters)
      : text_(text), limits_(limits), characters_(characters) {}

  JsonValue take_root() { return std::move(root_); }

  bool null() override { return add(nullptr, characters_.taken() - 4); }
  bool boolean(bool value) override { return add(value, characters_.taken() - (value ? 4 : 5)); }
  bool number_integer(number_integer_t value) override {
    const std::size_t offset = number_start();
    if (value < -static_cast<std::int64_t>(kLargestExactInteger) && !limits_.own) {
      return add_large(offset);
    }
    return add(static_cast<std::int64_t>(value), offset);
  }
  bool number_unsigned(number_unsigned_t value) override {
    const std::size_t offset = number_start();
    const auto largest = limits_.own
                             ? static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                             : static_cast<std::uint64_t>(kLargestExactInteger);
    if (value > largest) {
      return add_large(offset);
    }
    return add(static_cast<std::int64_t>(value), offset);
  }
  bool number_float(number_float_t value, const string_t& written) override {
    const std::size_t offset = number_start();
    const std::string_view mantissa(written.data(),
                                    std::min(written.find_first_of("eE"), written.size()));
    if (written.find_first_of(".eE") == std::string::npos) {
      return add_large(offset);
    }
    if (!std::isfinite(value)) {
      throw JsonFault{offset, "number too large for a double: " + in_quotes(written)};
    }
    if (value == 0 && mantissa.find_first_of("123456789") != std::string_view::npos) {
      throw JsonFault{offset, "number too small for a double: " + in_quotes(written)};
    }
    return add(value, offset);
  }
  bool string(string_t& value) override {
    const std::size_t offset = string_start();
    check_text(value, offset);
    return add(std::move(value), offset);
  }
  bool binary(binary_t&) override { return false; }  // cannot occur in JSON text

  bool start_object(std::size_t) override { return open(JsonObject{}); }
  bool start_array(std::size_t) override { return open(JsonArray{}); }
  bool key(string_t& name) override {
    const std::size_t offset = string_start();
    check_text(name, offset);
    std::get<JsonObject>(open_.back()->data).push_back({std::move(name), offset, JsonValue{}});
    return true;
  }
  bool end_object() override {
    refuse_repeated_names(std::get<JsonObject>(open_.back()->data));
    open_.pop_back();
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }

  bool parse_error(std::size_t position, const std::string& last_read,
                   const nlohmann::json::exception& error) override {
    // 1-based position of the last character read; of an unfinished token that is its end.
    const std::size_t offset = std::min(position > 0 ? position - 1 : 0, text_.size());
    if (error.id == 406) {
      throw JsonFault{number_start(), "number too large for a double: " + in_quotes(last_read)};
    }
    std::string what = words_of(error.what(), last_read);
    const std::size_t word = text_.substr(0, offset + 1).find_last_of(" \t\r\n:,[{-");
    const std::string_view read = text_.substr(word == std::string_view::npos ? 0 : word + 1, 3);
    if (read == "NaN" || read == "nan" || read == "Inf" || read == "inf") {
      what = "NaN and infinities are not JSON numbers";
    }
    throw JsonFault{offset, std::string(kNotJson) + what};
  }

 private:
  template <class Data>
  bool add(Data&& data, std::size_t offset) {
    place({{std::forward<Data>(data)}, offset});
    return true;
  }

  bool add_large(std::size_t offset) {
    if (!limits_.large_integers) {
      throw JsonFault{offset, "integer beyond 2^53, which a double cannot hold exactly",
                      std::string(kLargeIntegerHint)};
    }
    return add(LargeInteger{}, offset);
  }

  template <class Container>
  bool open(Container container) {
    const std::size_t offset = characters_.taken() - 1;
    if (open_.size() == limits_.depth) {
      throw JsonFault{offset, "nested deeper than " + std::to_string(limits_.depth) + " levels"};
    }
    open_.push_back(&place({std::move(container), offset}));
    return true;
  }

  JsonValue& place(JsonValue value) {
    if (++values_ > limits_.values) {
      throw JsonFault{value.offset, "more than " + std::to_string(limits_.values) + " values"};
    }
    if (open_.empty()) {
      return root_ = std::move(value);
    }
    if (JsonArray* array = std::get_if<JsonArray>(&open_.back()->data)) {
      return array->emplace_back(std::move(value));
    }
    return std::get<JsonObject>(open_.back()->data).back().value = std::move(value);
  }

  /// The parser has just taken the closing quote. Within a string every quote has an odd number
  /// of backslashes before it, so the first one backwards without is the opening one.
  std::size_t string_start() const {
    std::size_t at = characters_.taken() - 1;
    while (at > 0) {
      at = text_.rfind('"', at - 1);
      std::size_t backslashes = 0;
      while (backslashes < at && text_[at - 1 - backslashes] == '\\') {
        ++backslashes;
      }
      if (backslashes % 2 == 0) {
        break;
      }
    }
    return at;
  }

  /// The parser has taken a number, and one character more unless the text ended.
  std::size_t number_start() const {
    static constexpr std::string_view kNumber = "0123456789+-.eE";
    std::size_t at = characters_.taken();
    if (at > 0 && kNumber.find(text_[at - 1]) == std::string_view::npos) {
      --at;
    }
    while (at > 0 && kNumber.find(text_[at - 1]) != std::string_view::npos) {
      --at;
    }
    return at;
  }

  void check_text(const std::string& text, std::size_t offset) const {
    if (!limits_.own && text.find('\0') != std::string::npos) {
      throw JsonFault{offset, "string with U+0000, which no command line can hold"};
    }
  }

  static void refuse_repeated_names(const JsonObject& object) {
    std::vector<const JsonMember*> sorted;
    sorted.reserve(object.size());
    for (const JsonMember& member : object) {
      sorted.push_back(&member);
    }
    std::ranges::sort(sorted, {}, [](const JsonMember* member) {
      return std::tie(member->name, member->offset);
    });
    const auto twice = std::ranges::adjacent_find(sorted, {}, &JsonMember::name);
    if (twice != sorted.end()) {
      throw JsonFault{(*std::next(twice))->offset, "duplicate key " + in_quotes((*twice)->name)};
    }
  }

  std::string_view text_;
  const JsonLimits& limits_;
  const Characters& characters_;
  JsonValue root_;
  std::vector<JsonValue*> open_;  // outermost first; only the innermost one grows, so they stay put
  std::size_t values_ = 0;
};

}  // namespace

JsonValue read_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    throw JsonFault{limits.bytes, "longer than " + std::to_string(limits.bytes) + " bytes"};
  }
  // The parser takes a NUL for the end of the text, and would skip the rest.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw JsonFault{nul, std::string(kNotJson) + "a NUL byte"};
  }
  Characters characters(text);
  std::istream in(&characters);
  TreeBuilder builder(text, limits, characters);
  nlohmann::json::sax_parse(in, &builder, nlohmann::json::input_format_t::json, true,
                            limits.comments);
  return builder.take_root();
}

}  // namespace perf::formats

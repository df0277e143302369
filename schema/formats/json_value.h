#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perf::formats {

struct JsonMember;
struct JsonValue;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  ///< in the order of the text; names are unique

/// An integer beyond +-2^53, where JsonLimits lets one stand: no reader takes its number.
struct LargeInteger {};

/// A JSON value that knows where it stood, so that a reader can complain about it in place.
struct JsonValue {
  /// Integers are those written without point and exponent; all lie within +-2^53,
  /// but for those of JsonLimits::own.
  std::variant<std::nullptr_t, bool, std::int64_t, double, LargeInteger, std::string, JsonArray,
               JsonObject>
      data;
  std::size_t offset = 0;  ///< of its first character in the text, in bytes

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(data); }
};

struct JsonMember {
  std::string name;
  std::size_t offset = 0;  ///< of the name's opening quote
  JsonValue value;
};

/// What is wrong with a text, and where: internal to the readers, each of which turns it into an
/// Error with the place in its own words. Never leaves a public function.
struct JsonFault {
  std::size_t offset = 0;
  std::string what;
  std::string hint{};
};

/// What to try with an integer that a double cannot hold exactly.
inline constexpr std::string_view kLargeIntegerHint =
    "write it as a string, or as a rounded number such as 1e18";

/// "an object", "text", "a number", ...: what a value is, for messages.
std::string_view kind_of(const JsonValue& value);

/// The member of that name, or nullptr.
const JsonMember* find_member(const JsonObject& object, std::string_view name);

/// Its value, or nullptr.
const JsonValue* find_value(const JsonObject& object, std::string_view name);

/// The value as what the caller needs. `subject` names it in the message: "seconds". All throw
/// JsonFault where the value is something else.
const JsonObject& as_object(const JsonValue& value, std::string_view subject);
const JsonArray& as_array(const JsonValue& value, std::string_view subject);
const std::string& as_text(const JsonValue& value, std::string_view subject);
/// A text that is not empty: the name of a `subject`.
const std::string& as_name(const JsonValue& value, const std::string& subject);
bool as_bool(const JsonValue& value, std::string_view subject);
double as_number(const JsonValue& value, std::string_view subject);
/// Also takes 8.0 and 1e3, which JSON Schema counts as integers too.
std::int64_t as_integer(const JsonValue& value, std::string_view subject);

/// Text out of a file, made fit for a message: quoted, at most kInQuotesLimit bytes, controls and
/// quotes shown as \xNN.
std::string in_quotes(std::string_view text);
inline constexpr std::size_t kInQuotesLimit = 80;

}  // namespace perf::formats

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/error.h"
#include "schema/param.h"

namespace perf::formats {

struct JsonMember;
struct JsonValue;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  ///< in the order of the text; names are unique

/// An integer beyond +-2^53, where JsonLimits permits one: reading its number is a fault.
struct LargeInteger {};

/// A JSON value and its place in the text, for messages.
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

/// What is wrong with a text, and where: internal to the readers, which turn it into an Error with
/// the place. Never leaves a public function.
struct JsonFault {
  std::size_t offset = 0;
  std::string what;
  std::string hint{};
};

/// More than any tool writes: a longer text is refused.
inline constexpr std::size_t kLargestText = std::size_t{64} << 20;  ///< B

/// Doubles hold every integer up to here, and not the next one: a larger one in a file would be
/// read as another number by some programs, so it is refused.
inline constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53
inline constexpr std::string_view kLargeIntegerHint =
    "write it as a string, or as a rounded number such as 1e18";

/// Limits of foreign texts. A value costs about 50 bytes of memory, so `values` bounds what a file
/// of `[[],[],...` can take.
struct JsonLimits {
  std::size_t bytes = kLargestText;
  std::size_t values = 16'000'000;
  std::size_t depth = 64;
  bool comments = false;        ///< /* */ and // are skipped
  bool large_integers = false;  ///< integers beyond +-2^53 are allowed where no number is read
  bool own = false;  ///< this program wrote it: 64-bit integers are numbers, U+0000 is allowed
};

/// Reads one JSON text (RFC 8259). Throws JsonFault for invalid JSON, and for valid JSON with
/// duplicate keys, bad UTF-8, NaN, infinities, numbers that overflow or vanish in a double,
/// integers beyond +-2^53, U+0000 in a string, or more than `limits`.
JsonValue read_json(std::string_view text, const JsonLimits& limits = {});

/// Where in a text: both 1-based, the column in bytes.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;
};
TextPosition position_of(std::string_view text, std::size_t offset);

/// "perf-compare.json:4:7".
std::string place_of(std::string_view text, std::size_t offset, const std::string& filename);

/// Runs `read`; its JsonFaults become UsageErrors with file:line:column. `wanted`: the hint of
/// faults without one.
template <class Read>
auto with_places(std::string_view text, const std::string& filename, const Read& read,
                 const std::string& wanted = {}) {
  try {
    return read();
  } catch (const JsonFault& fault) {
    throw UsageError(fault.what, place_of(text, fault.offset, filename),
                     fault.hint.empty() ? wanted : fault.hint);
  }
}

/// "an object", "text", "a number", ...: the type of a value, for messages.
std::string_view kind_of(const JsonValue& value);

/// The member of that name, or nullptr.
const JsonMember* find_member(const JsonObject& object, std::string_view name);

/// Its value, or nullptr.
const JsonValue* find_value(const JsonObject& object, std::string_view name);

/// The same, and nullptr for null: what programs write for None.
const JsonValue* optional_field(const JsonObject& object, std::string_view name);

/// The member of that name. Throws JsonFault at `offset`, with the hint, where it is absent.
const JsonValue& required_field(const JsonObject& object, std::size_t offset, std::string_view name,
                                std::string_view subject = "the line",
                                const std::string& hint = {});

/// Reads that member into `into`, where there is one; `read` takes it and its name, for messages.
template <class Into, class Read>
void take_optional(const JsonObject& object, std::string_view name, Into& into, const Read& read) {
  if (const JsonValue* value = optional_field(object, name)) {
    into = read(*value, name);
  }
}

/// The value as the type that the caller needs. `subject` names it in the message: "seconds". All
/// throw JsonFault for another type.
const JsonObject& as_object(const JsonValue& value, std::string_view subject);
const JsonArray& as_array(const JsonValue& value, std::string_view subject);
const std::string& as_text(const JsonValue& value, std::string_view subject);
/// A text that is not empty: the name of a `subject`.
const std::string& as_name(const JsonValue& value, const std::string& subject);
bool as_bool(const JsonValue& value, std::string_view subject);
double as_number(const JsonValue& value, std::string_view subject);
/// Also takes 8.0 and 1e3, which JSON Schema counts as integers too.
std::int64_t as_integer(const JsonValue& value, std::string_view subject);

/// The value of that name if it has the type; nullptr where it is absent or has another.
template <class Kind>
const Kind* field_as(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  return member == nullptr ? nullptr : std::get_if<Kind>(&member->value.data);
}

/// The same, but an empty one in place of nullptr.
template <class Kind>
const Kind& field_or_empty(const JsonObject& object, std::string_view name) {
  static const Kind kEmpty;
  const Kind* field = field_as<Kind>(object, name);
  return field == nullptr ? kEmpty : *field;
}

/// The text of that name; empty where it is absent, null or of another type.
std::string text_field(const JsonObject& object, std::string_view name);

/// Texts, numbers and truth values; nothing for null, arrays and objects.
std::optional<Param> param_of(const JsonValue& value);

/// Parameters of a workload: an object of texts, numbers and truth values with non-empty names.
/// Throws JsonFault for anything else.
Params read_params(const JsonValue& value, std::string_view subject);

/// Text from a file, safe for a message: quoted, at most kInQuotesLimit bytes, controls and
/// quotes shown as \xNN.
std::string in_quotes(std::string_view text);
inline constexpr std::size_t kInQuotesLimit = 80;

}  // namespace perf::formats

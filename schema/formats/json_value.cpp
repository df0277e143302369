#include "schema/formats/json_value.h"

#include <array>
#include <cmath>

#include "schema/formats/json_reader.h"
#include "schema/text/utf8.h"

namespace perf::formats {
namespace {

[[noreturn]] void refuse(const JsonValue& value, std::string_view subject,
                         std::string_view wanted) {
  throw JsonFault{value.offset, std::string(subject) + " must be " + std::string(wanted) +
                                    ", not " + std::string(kind_of(value))};
}

template <class Kind>
const Kind& as_kind(const JsonValue& value, std::string_view subject, std::string_view wanted) {
  if (const Kind* data = std::get_if<Kind>(&value.data)) {
    return *data;
  }
  refuse(value, subject, wanted);
}

}  // namespace

std::string_view kind_of(const JsonValue& value) {
  constexpr std::array<std::string_view, 8> kKinds{
      // in the order of the variant
      "null", "",         "a number", "a number", "an integer beyond 2^53",
      "text", "an array", "an object"};
  const bool* truth = std::get_if<bool>(&value.data);
  return truth == nullptr ? kKinds[value.data.index()] : *truth ? "true" : "false";
}

const JsonMember* find_member(const JsonObject& object, std::string_view name) {
  for (const JsonMember& member : object) {
    if (member.name == name) {
      return &member;
    }
  }
  return nullptr;
}

const JsonValue* find_value(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  return member == nullptr ? nullptr : &member->value;
}

const JsonObject& as_object(const JsonValue& value, std::string_view subject) {
  return as_kind<JsonObject>(value, subject, "an object");
}

const JsonArray& as_array(const JsonValue& value, std::string_view subject) {
  return as_kind<JsonArray>(value, subject, "an array");
}

const std::string& as_text(const JsonValue& value, std::string_view subject) {
  return as_kind<std::string>(value, subject, "text");
}

const std::string& as_name(const JsonValue& value, const std::string& subject) {
  const std::string& name = as_text(value, "the name of a " + subject);
  if (name.empty()) {
    throw JsonFault{value.offset, "a " + subject + " whose name is empty"};
  }
  return name;
}

bool as_bool(const JsonValue& value, std::string_view subject) {
  return as_kind<bool>(value, subject, "true or false");
}

double as_number(const JsonValue& value, std::string_view subject) {
  if (const double* number = std::get_if<double>(&value.data)) {
    return *number;
  }
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value.data)) {
    return static_cast<double>(*integer);
  }
  if (std::holds_alternative<LargeInteger>(value.data)) {
    throw JsonFault{value.offset, std::string(subject) + " is an integer beyond 2^53",
                    std::string(kLargeIntegerHint)};
  }
  const std::string* text = std::get_if<std::string>(&value.data);
  if (text != nullptr && text->empty()) {  // as mask_non_numbers leaves them
    throw JsonFault{value.offset,
                    std::string(subject) + " must be a number, not NaN, an infinity or empty text"};
  }
  refuse(value, subject, "a number");
}

std::int64_t as_integer(const JsonValue& value, std::string_view subject) {
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value.data)) {
    return *integer;
  }
  if (const double* number = std::get_if<double>(&value.data)) {
    if (std::trunc(*number) == *number && std::abs(*number) <= kLargestExactInteger) {
      return static_cast<std::int64_t>(*number);
    }
    throw JsonFault{value.offset, std::string(subject) + " must be an integer within +-2^53"};
  }
  refuse(value, subject, "an integer");
}

std::string in_quotes(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char raw : text) {
    // The readers let only valid UTF-8 through: cut before a character's first byte.
    const auto byte = static_cast<unsigned char>(raw);
    if (out.size() >= kInQuotesLimit && !continues_character(raw)) {
      out += "...";
      break;
    }
    if (byte < 0x20 || byte == 0x7F || raw == '"' || raw == '\\') {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += raw;
    }
  }
  return out += '"';
}

}  // namespace perf::formats

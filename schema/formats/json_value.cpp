#include <array>
#include <cmath>

#include "schema/formats/json.h"
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

TextPosition position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t newline = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          newline == std::string_view::npos ? before.size() + 1 : before.size() - newline};
}

std::string place_of(std::string_view text, std::size_t offset, const std::string& filename) {
  const TextPosition position = position_of(text, offset);
  return filename + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

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

const JsonValue* optional_field(const JsonObject& object, std::string_view name) {
  const JsonValue* value = find_value(object, name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const JsonValue& required_field(const JsonObject& object, std::size_t offset, std::string_view name,
                                std::string_view subject, const std::string& hint) {
  if (const JsonValue* value = find_value(object, name)) {
    return *value;
  }
  throw JsonFault{offset, std::string(subject) + " has no " + in_quotes(name), hint};
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
    throw JsonFault{value.offset, "the name of a " + subject + " is empty"};
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
    throw JsonFault{value.offset, std::string(subject) + " exceeds 2^53",
                    std::string(kLargeIntegerHint)};
  }
  const std::string* text = std::get_if<std::string>(&value.data);
  if (text != nullptr && text->empty()) {  // see mask_non_numbers
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

std::string text_field(const JsonObject& object, std::string_view name) {
  return field_or_empty<std::string>(object, name);
}

std::optional<Param> param_of(const JsonValue& value) {
  return std::visit(
      [](const auto& data) -> std::optional<Param> {
        if constexpr (std::is_constructible_v<Param, decltype(data)> &&
                      !std::is_same_v<decltype(data), const std::nullptr_t&>) {
          return Param(data);
        } else {
          return std::nullopt;
        }
      },
      value.data);
}

Params read_params(const JsonValue& value, std::string_view subject) {
  Params params;
  for (const JsonMember& member : as_object(value, subject)) {
    if (member.name.empty()) {
      throw JsonFault{member.offset, "the name of a parameter is empty"};
    }
    const std::optional<Param> param = param_of(member.value);
    if (!param) {
      throw JsonFault{member.value.offset, "parameter " + in_quotes(member.name) +
                                               " must be text, a number, true or false, not " +
                                               std::string(kind_of(member.value))};
    }
    params[member.name] = *param;
  }
  return params;
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

#include "schema/formats/json_fields.h"

#include <variant>

#include "schema/formats/magnitude.h"
#include "schema/param.h"

namespace perf::formats {

const JsonValue* optional_field(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  return member == nullptr || member->value.is_null() ? nullptr : &member->value;
}

const JsonValue& required_field(const JsonObject& object, std::size_t offset, std::string_view name,
                                std::string_view subject) {
  if (const JsonMember* member = find_member(object, name)) {
    return member->value;
  }
  throw JsonFault{offset, std::string(subject) + " has no " + in_quotes(name)};
}

std::string text_field(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  const std::string* text =
      member == nullptr ? nullptr : std::get_if<std::string>(&member->value.data);
  return text == nullptr ? std::string() : *text;
}

std::optional<std::string> fact_text(const JsonValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value.data)) {
    return *text;
  }
  if (const bool* truth = std::get_if<bool>(&value.data)) {
    return to_text(Param(*truth));
  }
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value.data)) {
    return to_text(Param(*integer));
  }
  if (const double* number = std::get_if<double>(&value.data)) {
    return to_text(Param(*number));
  }
  return std::nullopt;
}

void add_fact(const JsonObject& object, std::string_view name, const std::string& key,
              std::map<std::string, std::string>& facts) {
  const JsonMember* member = find_member(object, name);
  const std::optional<std::string> text =
      member == nullptr ? std::nullopt : fact_text(member->value);
  if (text && !text->empty()) {
    facts[key] = *text;
  }
}

double measurable_number(const JsonValue& value, std::string_view subject) {
  const double number = as_number(value, subject);
  if (!is_measurable(number)) {
    throw JsonFault{value.offset, std::string(subject) + " is of no measurable magnitude"};
  }
  return number;
}

double measurable_amount(const JsonValue& value, std::string_view subject) {
  const double amount = measurable_number(value, subject);
  if (amount < 0) {
    throw JsonFault{value.offset, std::string(subject) + " is negative"};
  }
  return amount;
}

}  // namespace perf::formats

#include "schema/formats/json_fields.h"

#include <type_traits>

#include "schema/formats/magnitude.h"

namespace perf::formats {

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

bool is_true(const JsonObject& object, std::string_view name) {
  const bool* truth = field_as<bool>(object, name);
  return truth != nullptr && *truth;
}

std::string text_field(const JsonObject& object, std::string_view name) {
  const std::string* text = field_as<std::string>(object, name);
  return text == nullptr ? std::string() : *text;
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

std::optional<std::string> fact_text(const JsonValue& value) {
  const std::optional<Param> param = param_of(value);
  return param ? std::optional<std::string>(to_text(*param)) : std::nullopt;
}

void add_fact(const JsonObject& object, std::string_view name, const std::string& key,
              std::map<std::string, std::string>& facts) {
  const JsonValue* value = find_value(object, name);
  const std::string text = value == nullptr ? "" : fact_text(*value).value_or("");
  if (!text.empty()) {
    facts[key] = text;
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

std::vector<double> measurable_amounts(const JsonObject& object, std::string_view name,
                                       std::string_view subject) {
  std::vector<double> amounts;
  if (const JsonValue* list = optional_field(object, name)) {
    for (const JsonValue& one : as_array(*list, in_quotes(name))) {
      amounts.push_back(measurable_amount(one, subject));
    }
  }
  return amounts;
}

bool is_number(const JsonValue& value) {
  return std::holds_alternative<double>(value.data) ||
         std::holds_alternative<std::int64_t>(value.data) ||
         std::holds_alternative<LargeInteger>(value.data);
}

Params read_params(const JsonValue& value, std::string_view subject) {
  Params params;
  for (const JsonMember& member : as_object(value, subject)) {
    if (member.name.empty()) {
      throw JsonFault{member.offset, "a parameter without a name"};
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

}  // namespace perf::formats

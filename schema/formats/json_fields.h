#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/formats/json_value.h"
#include "schema/param.h"

namespace perf::formats {

/// The member of that name, or nullptr where it is absent or null: what programs write for None.
const JsonValue* optional_field(const JsonObject& object, std::string_view name);

/// Reads that member into `into`, where there is one; `read` takes it and its name, for messages.
template <class Into, class Read>
void take_optional(const JsonObject& object, std::string_view name, Into& into, const Read& read) {
  if (const JsonValue* value = optional_field(object, name)) {
    into = read(*value, name);
  }
}

/// The member of that name. Throws JsonFault at `offset` where it is absent, with what to try.
const JsonValue& required_field(const JsonObject& object, std::size_t offset, std::string_view name,
                                std::string_view subject, const std::string& hint = {});

/// What that name has if it is of the kind; nullptr where it is absent or of another.
template <class Kind>
const Kind* field_as(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  return member == nullptr ? nullptr : std::get_if<Kind>(&member->value.data);
}

/// Whether that name is there and true.
bool is_true(const JsonObject& object, std::string_view name);

/// The text of that name; empty where it is absent, null or of another kind.
std::string text_field(const JsonObject& object, std::string_view name);

/// Texts, numbers and truth values; nothing where the value has parts or is null.
std::optional<Param> param_of(const JsonValue& value);

/// The same as text.
std::optional<std::string> fact_text(const JsonValue& value);

/// Adds the member of that name as fact `key`, where it has a text that is not empty.
void add_fact(const JsonObject& object, std::string_view name, const std::string& key,
              std::map<std::string, std::string>& facts);

/// A number that ratios can be formed of. Throws JsonFault for any other.
double measurable_number(const JsonValue& value, std::string_view subject);

/// The same for times and sizes: not negative.
double measurable_amount(const JsonValue& value, std::string_view subject);

/// All of a list, which may be absent or null, as such amounts.
std::vector<double> measurable_amounts(const JsonObject& object, std::string_view name,
                                       std::string_view subject);

/// Whether it is a number, even one that no double holds.
bool is_number(const JsonValue& value);

/// Parameters of a workload: an object of texts, numbers and truth values with non-empty names.
/// Throws JsonFault for anything else.
Params read_params(const JsonValue& value, std::string_view subject);

}  // namespace perf::formats

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "schema/formats/json_value.h"

namespace perf::formats {

/// The member of that name, or nullptr where it is absent or null: what programs write for None.
const JsonValue* optional_field(const JsonObject& object, std::string_view name);

/// The member of that name. Throws JsonFault at `offset` where it is absent.
const JsonValue& required_field(const JsonObject& object, std::size_t offset, std::string_view name,
                                std::string_view subject);

/// The text of that name; empty where it is absent, null or of another kind.
std::string text_field(const JsonObject& object, std::string_view name);

/// Texts, numbers and truth values as text; nothing where the value has parts or is null.
std::optional<std::string> fact_text(const JsonValue& value);

/// Adds the member of that name as fact `key`, where it has a text that is not empty.
void add_fact(const JsonObject& object, std::string_view name, const std::string& key,
              std::map<std::string, std::string>& facts);

/// A number that ratios can be formed of. Throws JsonFault for any other.
double measurable_number(const JsonValue& value, std::string_view subject);

/// The same for times and sizes: not negative.
double measurable_amount(const JsonValue& value, std::string_view subject);

}  // namespace perf::formats

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "schema/formats/json_value.h"

namespace perf::config {

using formats::JsonArray;
using formats::JsonFault;
using formats::JsonMember;
using formats::JsonObject;
using formats::JsonValue;

/// The object of an entry. `where` names it for messages ("a workload"). Throws JsonFault when the
/// value is none, or has a key that is not `known`, naming the nearest known one.
const JsonObject& entry_object(const JsonValue& value, std::string_view where,
                               const std::vector<std::string_view>& known);

using formats::find_value;

/// Reads the value of a key into `into`, where the object has it. `read` takes the value, and the
/// key for messages where it wants one.
template <class Into, class Read>
void take(const JsonObject& object, std::string_view key, Into& into, const Read& read) {
  const JsonValue* value = find_value(object, key);
  if (value == nullptr) {
    return;
  }
  if constexpr (std::is_invocable_v<Read, const JsonValue&, std::string_view>) {
    into = read(*value, key);
  } else {
    into = read(*value);
  }
}

/// The value of a key. Throws JsonFault at `entry` when it is absent.
const JsonValue& required_value(const JsonObject& object, const JsonValue& entry,
                                std::string_view where, std::string_view key);

/// Text that is not empty.
const std::string& read_text(const JsonValue& value, std::string_view key);
/// A percentage in text, as a share above 0 and below `limit`. A bare number is refused: 10 may
/// mean 10 % or ten times.
double read_share(const JsonValue& value, std::string_view key, double limit);
/// A duration in text, in seconds, above 0.
double read_duration(const JsonValue& value, std::string_view key);
/// A size in text, in bytes, above 0.
double read_byte_size(const JsonValue& value, std::string_view key);
/// An argument vector: at least one text, the first not empty.
std::vector<std::string> read_command(const JsonValue& value);
/// One of kSizes.
std::string read_size(const std::string& name, std::size_t offset);
/// A threshold: a share above 0 and below kLargestThreshold.
double read_threshold(const JsonValue& value, std::string_view key);
/// {"threshold": "10%"}
double read_threshold_entry(const JsonValue& value, std::string_view where);

/// A change above 1,000 % is nothing that a threshold should let pass; --threshold says the same.
inline constexpr double kLargestThreshold = 10;

}  // namespace perf::config

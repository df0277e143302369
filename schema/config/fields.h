#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schema/config.h"
#include "schema/formats/json_fields.h"

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
using formats::required_field;

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

/// Text that is not empty.
const std::string& read_text(const JsonValue& value, std::string_view key);
/// Globs of files: texts that are not empty.
std::vector<std::string> read_globs(const JsonValue& value, std::string_view key);
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
/// Names and thresholds, in the order of the file: the last match wins.
using Thresholds = std::vector<std::pair<std::string, double>>;
/// {"peak_rss": {"threshold": "5%"}}; `entry` names one of them for messages.
Thresholds read_thresholds(const JsonValue& value, std::string_view where, const std::string& entry,
                           const std::string& nameless);
/// Parameters of a workload: an object of texts, numbers and truth values, whose names can be
/// options of a command (`--name`).
Params read_options(const JsonValue& value, std::string_view where);

/// A change above 1,000 % is nothing that a threshold should let pass; --threshold says the same.
inline constexpr double kLargestThreshold = 10;

// The entries that have a file of their own. All throw JsonFault at the first thing that is not to
// the letter.

/// [{"name": ..., "command": [...], "format", "params", "sizes", "timeout", "metrics"}, ...]
std::vector<ConfiguredWorkload> read_workloads(const JsonValue& value);
/// [{"name", "metric", "of", "over", "at_least" or "at_most", "size"}, ...], naming workloads that
/// are there.
std::vector<Target> read_targets(const JsonValue& value,
                                 const std::vector<ConfiguredWorkload>& workloads);
/// The rules that workloads state in their own `metrics`, children (`entry/child`) included,
/// but not workloads of the config whose names look like children.
std::vector<ThresholdRule> rules_of(const std::vector<ConfiguredWorkload>& workloads);

}  // namespace perf::config

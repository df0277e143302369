#include <algorithm>
#include <cmath>

#include "schema/config/entries.h"
#include "schema/config/fields.h"
#include "schema/config/nearest_name.h"

namespace perf::config {
namespace {

/// A number in the metric's base unit (or a ratio), or a duration in text.
double read_bound(const JsonValue& value, std::string_view key) {
  if (std::holds_alternative<std::string>(value.data))
    return read_duration(value, key);
  return formats::as_number(value, std::string(key) + " (a number, or a duration such as \"2m\")");
}

/// The name of a workload of this config, or of a child (`entry/child`) of one.
std::string read_measured(const JsonValue& value, std::string_view key,
                          const std::vector<ConfiguredWorkload>& workloads) {
  const std::string& name = read_text(value, key);
  std::vector<std::string_view> known;
  for (const ConfiguredWorkload& entry : workloads) {
    const std::string& workload = entry.workload.name;
    if (name == workload || name.rfind(workload + "/", 0) == 0)
      return name;
    known.push_back(workload);
  }
  throw JsonFault{
      value.offset,
      std::string(key) + " " + formats::in_quotes(name) + " is no workload of this config",
      instead_of(name, known)};
}

Target read_target(const JsonValue& value, const std::vector<ConfiguredWorkload>& workloads) {
  const std::string where = "a target";
  const JsonObject& object =
      entry_object(value, where, {"name", "metric", "of", "over", "at_least", "at_most", "size"});
  Target target;
  target.name = read_text(required_value(object, value, where, "name"), "name");
  const std::string named = "target " + formats::in_quotes(target.name);
  target.of = read_measured(required_value(object, value, named, "of"), "of", workloads);
  if (const JsonValue* metric = find_value(object, "metric"))
    target.metric = read_text(*metric, "metric");
  if (const JsonValue* over = find_value(object, "over"))
    target.over = read_measured(*over, "over", workloads);
  if (const JsonValue* at_least = find_value(object, "at_least"))
    target.at_least = read_bound(*at_least, "at_least");
  if (const JsonValue* at_most = find_value(object, "at_most"))
    target.at_most = read_bound(*at_most, "at_most");
  if (target.at_least.has_value() == target.at_most.has_value())
    throw JsonFault{value.offset, named + " needs one of \"at_least\" and \"at_most\""};
  if (const JsonValue* size = find_value(object, "size"))
    target.size = read_size(formats::as_text(*size, "size"), size->offset);
  return target;
}

}  // namespace

std::vector<Target> read_targets(const JsonValue& value,
                                 const std::vector<ConfiguredWorkload>& workloads) {
  std::vector<Target> targets;
  for (const JsonValue& item : formats::as_array(value, "targets"))
    targets.push_back(read_target(item, workloads));
  return targets;
}

}  // namespace perf::config

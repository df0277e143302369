#include "schema/config/entries.h"
#include "schema/config/fields.h"

namespace perf::config {
namespace {

/// Above this an alpha promises nothing; --alpha says the same.
constexpr double kLargestAlpha = 0.5;

/// {"peak_rss": {"threshold": "5%"}} or {"micro/*": {...}}, in the order of the file: the last
/// match wins.
std::vector<std::pair<std::string, double>> read_thresholds(const JsonValue& value,
                                                            const std::string& where) {
  std::vector<std::pair<std::string, double>> thresholds;
  for (const JsonMember& member : formats::as_object(value, where)) {
    if (member.name.empty()) {
      throw JsonFault{member.offset, "an empty name in " + where};
    }
    thresholds.emplace_back(
        member.name,
        read_threshold_entry(member.value, where + " " + formats::in_quotes(member.name)));
  }
  return thresholds;
}

}  // namespace

Policy read_policy(const JsonValue& value) {
  const JsonObject& object =
      entry_object(value, "policy", {"threshold", "alpha", "budget", "metrics", "workloads"});
  Policy policy;
  if (const JsonValue* threshold = find_value(object, "threshold")) {
    policy.threshold = read_share(*threshold, "threshold", kLargestThreshold);
  }
  if (const JsonValue* alpha = find_value(object, "alpha")) {
    policy.alpha = read_share(*alpha, "alpha", kLargestAlpha);
  }
  if (const JsonValue* budget = find_value(object, "budget")) {
    policy.budget = read_duration(*budget, "budget");
  }
  if (const JsonValue* metrics = find_value(object, "metrics")) {
    for (const auto& [metric, threshold] : read_thresholds(*metrics, "policy.metrics")) {
      policy.thresholds.push_back({"", metric, threshold});
    }
  }
  if (const JsonValue* workloads = find_value(object, "workloads")) {
    for (const auto& [glob, threshold] : read_thresholds(*workloads, "policy.workloads")) {
      policy.thresholds.push_back({glob, "", threshold});
    }
  }
  return policy;
}

}  // namespace perf::config

#include "schema/config/entries.h"
#include "schema/config/fields.h"

namespace perf::config {
namespace {

/// Above this an alpha promises nothing; --alpha says the same.
constexpr double kLargestAlpha = 0.5;

/// {"peak_rss": {"threshold": "5%"}} or {"micro/*": {...}}, in the order of the file: the last
/// match wins.
std::vector<std::pair<std::string, double>> read_thresholds(const JsonObject& policy,
                                                            std::string_view key) {
  const std::string where = "policy." + std::string(key);
  std::vector<std::pair<std::string, double>> thresholds;
  const JsonValue* value = find_value(policy, key);
  if (value == nullptr) {
    return thresholds;
  }
  for (const JsonMember& member : formats::as_object(*value, where)) {
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
  take(object, "threshold", policy.threshold, read_threshold);
  take(object, "alpha", policy.alpha, [](const JsonValue& alpha, std::string_view key) {
    return read_share(alpha, key, kLargestAlpha);
  });
  take(object, "budget", policy.budget, read_duration);
  for (const auto& [metric, threshold] : read_thresholds(object, "metrics")) {
    policy.thresholds.push_back({"", metric, threshold});
  }
  for (const auto& [glob, threshold] : read_thresholds(object, "workloads")) {
    policy.thresholds.push_back({glob, "", threshold});
  }
  return policy;
}

}  // namespace perf::config

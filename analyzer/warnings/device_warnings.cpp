#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/warnings/row_warnings.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// Of each run's first block: where the collector states what it saw.
std::vector<std::string> stated_of_devices(const std::vector<const Invocation*>& runs,
                                           const char* fact) {
  std::vector<std::string> values;
  for (const Invocation* run : runs) {
    if (!run->blocks.empty()) {
      const auto& facts = run->blocks.front().facts;
      if (const auto found = facts.find(fact); found != facts.end()) {
        values.push_back(found->second);
      }
    }
  }
  return values;
}

/// The mean share of the samples in which a clock was lowered; 0 where none states it.
double throttled_share(const std::vector<const Invocation*>& runs) {
  double sum = 0, count = 0;
  for (const Invocation* run : runs) {
    for (const double percent : values_of(*run, kDeviceThrottled)) {
      sum += percent / 100;
      ++count;
    }
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

void add_device_warnings(const WorkloadSamples& samples, Comparison& row) {
  std::vector<const Invocation*> runs = samples.base;
  runs.insert(runs.end(), samples.head.begin(), samples.head.end());
  if (const auto problems = stated_of_devices(runs, kDeviceProblem); !problems.empty()) {
    row.warnings.push_back({WarningKind::device_not_watched,
                            {{"runs", problems.size()}},
                            {{"why", problems.front()}}});
  }
  if (!stated_of_devices(runs, kDeviceShared).empty()) {
    row.warnings.push_back({WarningKind::device_shared});
  }
  std::set<std::string> reasons;
  for (const std::string& names : stated_of_devices(runs, kThrottleReasons)) {
    for (const auto name : std::views::split(names, std::string_view(", "))) {
      reasons.emplace(name.begin(), name.end());
    }
  }
  if (!reasons.empty()) {
    row.notes.push_back(
        {WarningKind::device_throttled,
         {{"base", throttled_share(samples.base)}, {"head", throttled_share(samples.head)}},
         {{"reasons", joined({reasons.begin(), reasons.end()}, ", ")}}});
  }
}

}  // namespace perf

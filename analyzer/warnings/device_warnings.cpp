#include <algorithm>
#include <set>
#include <string>
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

/// The mean share of the samples in which a clock was lowered.
double throttled_share(const std::vector<const Invocation*>& runs) {
  double sum = 0, count = 0;
  for (const Invocation* run : runs) {
    for (const Block& block : run->blocks) {
      for (const MetricValue& value : block.metrics) {
        const bool is_it = value.metric == kDeviceThrottled;
        sum += is_it ? value.value / 100 : 0;
        count += is_it ? 1 : 0;
      }
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
    for (std::size_t begin = 0; begin < names.size();) {
      const std::size_t end = std::min(names.find(", ", begin), names.size());
      reasons.insert(names.substr(begin, end - begin));
      begin = end + 2;
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

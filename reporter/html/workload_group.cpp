#include "reporter/html/workload_group.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "reporter/wording.h"

namespace perf::reporter::html {
namespace {

using Key = std::pair<std::string, Params>;

}  // namespace

std::vector<WorkloadGroup> workload_groups(const Report& report,
                                           const std::vector<MeasuredWorkload>& measured) {
  std::map<Key, const MeasuredWorkload*> known;
  for (const MeasuredWorkload& one : measured) {
    known[{one.workload, one.params}] = &one;
  }
  std::vector<WorkloadGroup> groups;
  std::map<Key, std::size_t> places;
  for (const Comparison& comparison : report.comparisons) {
    const Key key{comparison.workload, comparison.params};
    const auto [place, is_first] = places.emplace(key, groups.size());
    if (is_first) {
      const auto found = known.find(key);
      groups.push_back({"w" + std::to_string(groups.size() + 1),
                        {},
                        found == known.end() ? nullptr : found->second});
    }
    groups[place->second].comparisons.push_back(&comparison);
  }
  return groups;
}

bool is_changed(const WorkloadGroup& group) {
  constexpr Verdict kChanged[] = {Verdict::regressed, Verdict::improved, Verdict::failed,
                                  Verdict::inconclusive};
  return std::ranges::any_of(group.comparisons, [&](const auto* row) {
    return std::ranges::find(kChanged, verdict_of(*row)) != std::end(kChanged);
  });
}

}  // namespace perf::reporter::html

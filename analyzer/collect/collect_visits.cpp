#include "analyzer/collect/collect_visits.h"

#include <algorithm>
#include <utility>

namespace perf {

std::vector<CollectVisit> collect_visits(const std::vector<std::vector<CollectedBefore>>& before,
                                         int wanted) {
  std::vector<CollectVisit> visits, tried_before;
  for (std::size_t commit = 0; commit < before.size(); ++commit) {
    CollectVisit visit{commit, {}};
    bool lacking = false, untried = false;
    for (const CollectedBefore& workload : before[commit]) {
      visit.wanted.push_back(std::max(wanted - workload.good, 0));
      lacking = lacking || visit.wanted.back() > 0;
      untried = untried || (visit.wanted.back() > 0 && workload.failures == 0);
    }
    if (lacking) {
      (untried ? visits : tried_before).push_back(std::move(visit));
    }
  }
  visits.insert(visits.end(), tried_before.begin(), tried_before.end());
  return visits;
}

}  // namespace perf

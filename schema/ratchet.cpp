#include "schema/ratchet.h"

#include <algorithm>

namespace perf {

std::vector<const RatchetRun*> way_to(const std::string& best,
                                      const std::vector<RatchetRun>& ledger) {
  std::vector<const RatchetRun*> way;
  std::string oid = best;
  for (auto run = ledger.rbegin(); run != ledger.rend(); ++run) {
    if (is_accepted(*run) && run->head.oid == oid) {
      way.push_back(&*run);
      oid = run->best.oid;
    }
  }
  return way;
}

double claimed_gain(const std::vector<const RatchetRun*>& way) {
  double sum = 0;
  for (const RatchetRun* run : way) {
    sum += run->goal.metric == way.front()->goal.metric ? run->end->estimate : 0;
  }
  return sum;
}

}  // namespace perf

#pragma once

#include <vector>

#include "schema/invocation.h"

namespace perf {

/// What has been measured so far in one run, in start order.
struct History {
  std::vector<Invocation> invocations;
  double measured = 0;  ///< s of the budget spent: what invocations took, counted ones left out
  bool budget_spent = false;  ///< the collector stopped a demand because the budget ended
  bool interrupted = false;   ///< a signal asked to stop
};

}  // namespace perf

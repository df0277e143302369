#pragma once

#include <vector>

namespace perf::store {

/// What stays of the timed steps of a block once they are pruned; s.
struct BlockSummary {
  double mean = 0;
  double stddev = 0;  ///< with n - 1; 0 of a single step
  double min = 0;
  double p90 = 0;  ///< linear between order statistics (Hyndman & Fan 1996, type 7)
  double max = 0;
};

/// Of at least one time, all above 0.
BlockSummary summary_of(std::vector<double> seconds);

}  // namespace perf::store

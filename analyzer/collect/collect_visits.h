#pragma once

#include <cstddef>
#include <vector>

namespace perf {

/// What there is of one workload at one commit.
struct CollectedBefore {
  int good = 0;      ///< processes, or pairs
  int failures = 0;  ///< that came to nothing
};

/// A commit to measure, and how much of each workload.
struct CollectVisit {
  std::size_t commit = 0;   ///< position on the line, 0 = the oldest
  std::vector<int> wanted;  ///< by workload
};

/// The commits of a line at which something is lacking of `wanted` good ones of each workload, in
/// the order in which they are to be measured: oldest first, but those of which nothing is lacking
/// that was not tried in vain before come last. `before` goes by commit and workload.
std::vector<CollectVisit> collect_visits(const std::vector<std::vector<CollectedBefore>>& before,
                                         int wanted);

}  // namespace perf

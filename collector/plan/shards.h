#pragma once

#include <string>
#include <vector>

namespace perf {

/// What a plan's workload weighs.
struct ShardedWorkload {
  std::string name;
  double seconds = 0;  ///< that it takes, as the config says; 0: it does not
};

/// Which of `count` shards (1 to count) measures each workload of a plan. It follows from names and
/// seconds alone, whoever asks.
///
/// Without seconds each workload goes where its name draws the highest number (rendezvous hashing;
/// Thaler, Ravishankar 1998): one that is added moves no other. With seconds, the longest first, to
/// the shard that has least (Graham 1969), ties by those numbers: at most 4/3 of the best there is;
/// who says nothing weighs as much as the mean of those who do.
std::vector<int> shards_of(const std::vector<ShardedWorkload>& workloads, int count);

}  // namespace perf

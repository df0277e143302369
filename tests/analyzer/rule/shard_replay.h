#pragma once

#include <cstdint>

#include "tests/analyzer/rule/replay.h"

namespace perf::replay {

/// Whole reports of plans whose workloads judge unlike numbers of metrics, and of which some run
/// the same program: the whole plan at once, and in shards that are joined, on the same pairs.
struct Sharding {
  Noise noise = Noise::student3;
  double deviation = 0.02;  ///< of a paired difference, ln
  double threshold = 0.10;
  double change = 0;  ///< true one of all, in units of the threshold
  int workloads = 12;
  int fewest_metrics = 1, most_metrics = 4;  ///< that a workload judges
  double same = 0;                           ///< share of workloads that run the same program
  bool by_seconds = true;  ///< shards are balanced by seconds; else by names: some may be empty
  int shards = 4;
  double alpha = 0.01;
  int reports = 10000;
  std::uint64_t seed = 20261126;
};

struct ShardedOutcome {
  int joined_wrong = 0, whole_wrong = 0;           ///< reports: some *regressed* or *improved*
  int joined_regressed = 0, joined_unchanged = 0;  ///< reports with some
  double joined_pairs = 0, whole_pairs = 0;        ///< a report, all workloads together
  int empty = 0;                                   ///< shards without a workload
  double largest_rate = 0;  ///< the error rate that rows and looks of a joined report spend at most
};

ShardedOutcome run(const Sharding& sharding);

}  // namespace perf::replay

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/ratchet.h"

namespace perf {

/// How far the pairs of a ratchet's earlier attempts lie from each other (residuals_of), the newest
/// last.
struct RatchetNoise {
  std::vector<double> goal;
  std::map<std::pair<std::string, std::string>, std::vector<double>> guarded;  ///< workload, metric
};

/// Of the first pairs of attempts with the same goal on the same machine, at most 400 residuals of
/// each series. Which attempts have more pairs depends on their result; these do not. Up to the
/// first attempt of the same candidate: its bets must not know the pairs that they are on, nor
/// change when it is resumed.
RatchetNoise noise_of(const std::vector<RatchetRun>& ledger, const RatchetRun& run);

/// By what an attempt is judged.
struct AttemptRule {
  RatchetGoal goal;
  double level = 0;  ///< a
  RatchetNoise noise{};
  int most_pairs = 0;  ///< measuring ends there
};

/// What a run has come to: `end` has the outcome if it is decided.
struct AttemptState {
  bool is_decided = false;
  RatchetEnd end{};
};

/// Of each pair of all workloads the gain is ln(best/head) of the goal's metric, the mean over the
/// workloads; one that runs the same program has a gain of 0. Of times on a device, what a higher
/// clock of head gives (clock_effect) is no gain. Accepted is what attempt_standing
/// proves, if every other judged series, and with several workloads each one's own goal,
/// is_guarded, and no check newly fails. A check or a metric that the best has and head lacks is a
/// failure. Throws UsageError where a workload does not measure the metric.
AttemptState attempt_state(const Standing& standing, const AttemptRule& rule);

/// The run's gains alone, of the present best against the first one.
std::vector<double> goal_gains(const Standing& standing, const RatchetGoal& goal);

/// The level of the j-th measurement of the whole gain: .06 / (pi j)^2; they add up to 1 %.
double gain_level(int number);

/// Pairs of such a measurement: 20, or as many as an interval of this level needs.
int gain_pairs(double level);

}  // namespace perf

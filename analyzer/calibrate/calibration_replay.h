#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/rule/decision.h"
#include "schema/policy.h"

namespace perf {

/// The thresholds a calibration speaks about.
inline constexpr double kCalibratedThresholds[] = {0.01, 0.02, 0.05, 0.10};

/// Where one replay of the sequential rule ended.
struct ReplayEnd {
  Verdict verdict = Verdict::inconclusive;
  int pairs = 0;  ///< to the verdict; where there is none, to the last look
};

/// The rule, replayed many times on pairs of identical code.
struct SeriesReplay {
  std::vector<std::vector<ReplayEnd>> ends;      ///< by threshold as above, then replay
  std::vector<std::vector<double>> half_widths;  ///< by look, then replay: of the interval, ln
  /// By replay: the smallest L = ln(1 + threshold) at which some look lies inside (-L, L), so that
  /// no change would have been proven.
  std::vector<double> reach;
};

/// Replays all looks of `rule` (its bounds are not used) on sequences that scatter like
/// `differences`, drawn in blocks of `block`. The same sequence serves all thresholds.
/// Deterministic. Without differences, or without looks, every list is empty.
SeriesReplay replay_identical(std::span<const double> differences, int block, const Rule& rule,
                              const Policy& policy, int replays, std::uint64_t seed);

}  // namespace perf

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/samples/standing.h"
#include "schema/calibration.h"
#include "schema/policy.h"

namespace perf {

/// Pairs that a calibration takes of every workload by default: twice what the
/// first look of a report wants. The budget may end it sooner.
inline constexpr int kCalibrationPairs = 32;
/// Below so many pairs the noise is hardly known, and the calibration says so.
inline constexpr int kFewCalibrationPairs = 16;
/// Replays of the rule for each series: the standard error of a share of 1 % is 0.3 %.
inline constexpr int kCalibrationReplays = 1000;

/// What an A/A run says about this machine: the noise of each judged series, the run's own verdicts
/// by the rule over the pairs there are, and `replays` replays of the rule with the looks that a
/// comparison of these workloads takes. Leaves generated_at and tool_version to the caller.
Calibration calibrate(const Standing& standing, int replays = kCalibrationReplays);

/// What a reader should know before relying on a calibration: identical code called changed, pairs
/// that are not independent, too few pairs, a false-alarm rate above alpha. By what the record
/// says, so that a stored one warns like a fresh one.
std::vector<Warning> calibration_warnings(const Calibration& calibration);

/// The thresholds of a calibration.
inline constexpr double kCalibratedThresholds[] = {0.01, 0.02, 0.05, 0.10};

/// Where one replay of the sequential rule ended.
struct ReplayEnd {
  Verdict verdict = Verdict::inconclusive;
  int pairs = 0;  ///< to the verdict, else to the last look
};

/// The rule, replayed many times on pairs of identical code.
struct Replays {
  std::vector<std::vector<ReplayEnd>> ends;      ///< by threshold as above, then replay
  std::vector<std::vector<double>> half_widths;  ///< by look, then replay: of the interval, ln
  /// By replay: the smallest L = ln(1 + threshold) at which some look lies inside (-L, L), so that
  /// no change would have been proven.
  std::vector<double> reach;
};

/// Replays all looks of `rule` (its bounds are not used) on sequences that scatter like
/// `differences`, drawn in blocks of `block`. The same sequence serves all thresholds.
/// Deterministic. Without differences, or without looks, every list is empty.
Replays replay_identical(std::span<const double> differences, int block, const Rule& rule,
                         const Policy& policy, int replays, std::uint64_t seed);

/// How rules that hold two numbers against a threshold do on identical code, for contrast with
/// ours: at every moment of the run at which such a tool could have measured, how far apart its two
/// numbers were, |ln(second/first)|.
struct NaiveDistances {
  /// One run of each side, next to each other: by pair.
  std::vector<double> one_run;
  /// The mean of five runs of one side, then of five of the other, as a CI job measures that runs
  /// the old program and then the new one: by the first pair of the ten. Empty below ten pairs.
  std::vector<double> five_runs;
};
inline constexpr int kNaiveRuns = 5;

NaiveDistances naive_distances(std::span<const PairedSample> pairs);

/// The share of moments at which the distance is that of a change by `threshold` or more, in either
/// direction on the scale of ratios; nothing where there was no such moment.
std::optional<double> share_beyond(std::span<const double> distances, double threshold);

}  // namespace perf

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

/// Default pairs of every workload: twice the first look of a report. The budget may end it
/// earlier.
inline constexpr int kCalibrationPairs = 32;
/// With fewer pairs the calibration warns that the noise is hardly known.
inline constexpr int kFewCalibrationPairs = 16;
/// Replays of the rule for each series: the standard error of a share of 1 % is 0.3 %.
inline constexpr int kCalibrationReplays = 1000;

/// The result of an A/A run: the noise of each judged series, the run's own verdicts, and `replays`
/// replays of the rule with the looks of an ordinary comparison. The caller sets generated_at and
/// tool_version.
Calibration calibrate(const Standing& standing, int replays = kCalibrationReplays);

/// Warns of identical code called changed, correlated pairs, too few pairs, and a false-alarm rate
/// above alpha; from the record alone, so that a stored one warns as well.
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

/// For contrast, rules that compare two numbers with a threshold, on identical code: the distance
/// of their numbers, |ln(second/first)|, at every moment of the run.
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

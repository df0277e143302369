#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/calibration.h"

namespace perf {

/// Pairs that a calibration takes of every workload where nobody says how many: twice what the
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

}  // namespace perf

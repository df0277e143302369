#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyzer/samples/series.h"

namespace perf {

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

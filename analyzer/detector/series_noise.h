#pragma once

#include <span>
#include <vector>

#include "analyzer/detector/scale.h"

namespace perf {

/// Robust noise of a series from point to point, relative: no step, slope or outlier in it counts.
/// Never below kLeastNoise; that too where there are not enough values to tell.
double series_noise(const std::vector<double>& values, Scale scale = Scale::log);

/// Series that repeat to the last digit still get this, relative: a tenth of a per cent.
inline constexpr double kLeastNoise = 0.001;

/// How noisy the y of a series are.
struct NoiseLevels {
  /// From point to point: the largest over distances k = 1..4 of 1.4826 median|y[i+k] - y[i]| /
  /// sqrt 2. Some distance then breaks up runs of equal values.
  double point = kLeastNoise;
  /// The same of `clipped` and neighbours, k = 1, only.
  double neighbour = kLeastNoise;
  double long_run = kLeastNoise;  ///< of means, in units of one point: long_run_noise
  /// The y, each cut to its running median of 7 +- 3 `point`, so that no outlier moves a mean.
  std::vector<double> clipped;
};
NoiseLevels noise_levels(std::span<const double> y);

}  // namespace perf

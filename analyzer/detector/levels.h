#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perf {

/// How values become what is searched: log: y = ln v; linear: y = v / median|v|.
enum class Scale { log, linear };

/// Which of them shows all levels: linear where half of the values or 3 in a row are not positive.
Scale suited_scale(const std::vector<double>& values);

/// The values of a series that can be searched, gaps dropped, in order.
struct SearchedValues {
  std::vector<double> y;              ///< log: ln v; linear: v / median|v|; finite
  std::vector<std::size_t> position;  ///< of each y among the values as given
};

/// Drops the values that are NaN, infinite or, on the log scale, not positive. On the linear scale
/// the unit is the median of |v|, where that is 0 the median of the |v| that are not; values beyond
/// kLargestRatio of it are cut to that, so that sums stay finite.
SearchedValues searched_values(const std::vector<double>& values, Scale scale);

inline constexpr double kLargestRatio = 1e9;

/// A difference of two y as a relative change.
double relative_change(double difference, Scale scale);

/// Robust noise of a series from point to point, relative: no step, slope or outlier in it counts.
/// Never below kLeastNoise; nor with too few values.
double series_noise(const std::vector<double>& values, Scale scale = Scale::log);

/// Series that repeat to the last digit still get this, relative: a tenth of a per cent.
inline constexpr double kLeastNoise = 0.001;

/// How noisy the y between two clear steps are, as far as that is less than in the whole series.
struct PartNoise {
  std::size_t begin = 0, end = 0;
  double point = 0, long_run = 0;  ///< as of NoiseLevels
};

/// How noisy the y of a series are.
struct NoiseLevels {
  /// From point to point: the largest over distances k = 1..4, n/4 at most, of
  /// 1.4826 median|y[i+k] - y[i]| / sqrt 2. Some distance then breaks up runs of equal values.
  double point = kLeastNoise;
  /// The same of `clipped` and neighbours, k = 1, only.
  double neighbour = kLeastNoise;
  double long_run = kLeastNoise;  ///< of means, in units of one point: long_run_noise
  /// The y, each cut to its running median of 7 +- 3 `point`, so that no outlier moves a mean.
  std::vector<double> clipped;
  std::vector<PartNoise> parts{};  ///< between clear steps, in order; none: all are alike

  PartNoise part_of(std::size_t at) const;
};
NoiseLevels noise_levels(std::span<const double> y);

/// The same about the means between steps that are known, as far as it is less: steps raise all of
/// them, the more the more of them there are in few points. A part between them has the noise of
/// its own points, times 1 + 2 / sqrt(m) for m of them: few show it less well.
NoiseLevels noise_about_steps(NoiseLevels noise, std::span<const double> y,
                              const std::vector<std::size_t>& steps);

/// What means of y err by, in units of one point: the deviation of a mean of m points times
/// sqrt(m), m large. Above the noise from point to point where neighbours are correlated: modes
/// that stay for a while, slow drifts of the machine. Never below `least`.
///
/// The largest over blocks of m = 2, 4, 8, min(16, n/6), 24 and 32 points, 6 or more blocks in the
/// series, of 1.2533 mean|difference of adjacent blocks' means| sqrt(m/2), all positions of the
/// blocks, each difference cut to 3 deviations by their median: of few blocks the mean is more
/// precise. A true step touches the share 2m/n of these differences, a third at most, and would
/// raise both; so `steps` that are known (ascending) are taken out first, and of what lies between
/// them the strongest step, where there is a clear one. `clipped` has no outliers left
/// (NoiseLevels::clipped).
double long_run_noise(std::span<const double> clipped, double least,
                      std::vector<std::size_t> steps = {});

/// The same by the second differences of blocks' means, 1.2533 mean|b1 - 2 b2 + b3| sqrt(m/6):
/// a straight line leaves nothing in them.
double noise_about_lines(std::span<const double> clipped);

/// Points of y between two lasting changes of its noise, and how noisy they are.
struct NoiseStretch {
  std::size_t begin = 0, end = 0;
  NoiseLevels noise;  ///< long-run noise without the clear steps
};

/// The levels that a series keeps.
struct LevelFit {
  SearchedValues series;                ///< y less the line, where levels beside a line fit better
  std::vector<std::size_t> steps;       ///< positions in y, ascending; each the first of its level
  std::vector<NoiseStretch> stretches;  ///< all of y, one at least
};

/// Fits levels; or levels beside one straight line, where the series rises or falls between its
/// clear steps: by 5 standard errors or more, by the long-run noise of what that line leaves, by
/// 2 % or more in all, and to a better Schwarz criterion.
///
/// Where the noise changes for good, each stretch is searched as a series of its own. A step where
/// the noise changes, or within 8 points of there, is tested by the noisier side, and is twice as
/// large as the noise of a point there: what changes its noise changes its median by a part of it.
///
/// What comes and goes within 8 points is a burst and no level: both its steps are left out. At the
/// end of a series, 3 points are one.
LevelFit fit_levels(SearchedValues series, Scale scale);

}  // namespace perf

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/detector/levels.h"
#include "schema/report.h"

namespace perf {

/// A step found in a series. Positions are those of the values as given (gaps counted).
struct FoundStep {
  std::size_t index = 0;     ///< first point after the change
  std::size_t previous = 0;  ///< last point before it that has a value
  /// Relative, positive = the value grew. Log scale: exp(median R - median L) - 1; linear scale:
  /// (median R - median L) / median|v| of the series.
  double change = 0;
  Interval interval;                         ///< of the change, 95 %
  double z = 0;                              ///< of the medians' difference, never negative
  double noise_before = 0, noise_after = 0;  ///< robust sd of y on each side (relative)
  /// The segments compared: [left_begin, index) and [index, right_end).
  std::size_t left_begin = 0, right_end = 0;
};

/// The steps of a series, in order. Values that are NaN, infinite or, on the log scale, not
/// positive are gaps. Never fails; a short series has none. Steps that are lost among
/// clearer ones (docs/detector.md, "Algorithm", item 8) are left out.
std::vector<FoundStep> find_steps(const std::vector<double>& values, Scale scale = Scale::log);
/// The same of levels that are fitted already, by fit_levels on the same scale.
std::vector<FoundStep> find_steps(const LevelFit& fit, Scale scale);

/// The smallest step, relative and positive, that find_steps would show in some nine of ten series
/// as long and as noisy as the fitted one, `after` points from their end (in the middle of a
/// shorter last level), beside the steps that it has. Its basis are items 3, 4, 8 of
/// docs/detector.md, "Algorithm": the difference of means has to exceed what a proposal needs,
/// and that of medians 2.8 of its standard errors, each with 1.6 errors in hand, 1.28 for the upper
/// tenth of a normal, the rest for the order; 1 % at least. Planted, it was found in 0.86 to 0.93
/// of series of white noise, in 0.70 to 0.96 of other natures, and half of it in 0.15 at most.
/// nullopt: fewer than kFewestToShow values, or fewer than 6 of the last level.
inline constexpr std::size_t kFewestToShow = 20;
std::optional<double> visible_step(const LevelFit& fit, std::size_t after, Scale scale);

/// A drift that no step explains. Positions are those of the values as given (gaps counted).
struct FoundSlope {
  std::size_t begin = 0, end = 0;  ///< the points it was fitted to: [begin, end)
  double per_point = 0;            ///< relative change per point that has a value
  double total = 0;                ///< relative change from the first of them to the last
  Interval interval;               ///< of total, 95 %
  double z = 0;                    ///< of the slope, never negative
};

/// The slope that a series has at its end, where it has one; `steps` is the result of find_steps on
/// the same values.
std::optional<FoundSlope> find_slope(const std::vector<double>& values,
                                     const std::vector<FoundStep>& steps, Scale scale = Scale::log);

/// A lasting change of noise. Positions are those of the values as given (gaps counted).
struct FoundNoiseChange {
  std::size_t index = 0;         ///< first point of the new noise
  std::size_t previous = 0;      ///< last point before it that has a value
  double before = 0, after = 0;  ///< relative deviation of a point
};

/// Those by which the variance grows or falls twofold or more, in order; there are 15 points or
/// more of each noise. Steps are none, but a step may lie where the noise changes.
std::vector<FoundNoiseChange> find_noise_changes(const std::vector<double>& values, Scale scale);

/// The positions at which the level of `y` changes, ascending, each the first of its new level,
/// that make the sum over points of min(((y - level) / noise)^2, 9) plus 3 ln n for each change
/// least, over all ways to place levels and changes. A lone outlier costs 9 at most and so buys no
/// level.
///
/// Exact, by functional pruning: Fearnhead & Rigaill, "Changepoint detection in the presence of
/// outliers", JASA 114 (2019), 169-183 (the biweight loss, algorithm R-FPOP). The y must be finite.
std::vector<std::size_t> biweight_segments(std::span<const double> y, double noise);

/// Steps that the cheaper, sooner tier sees and `accepted`, the result of find_steps on the same
/// values, does not contain: worth an A/B run, not an alert. In order. Where the noise changes
/// between `stretches` (of the fit of the same values), each is that also by the noise of its own.
std::vector<FoundStep> find_suspects(const std::vector<double>& values,
                                     const std::vector<FoundStep>& accepted,
                                     Scale scale = Scale::log,
                                     std::span<const NoiseStretch> stretches = {});

}  // namespace perf

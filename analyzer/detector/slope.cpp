#include <algorithm>
#include <cmath>
#include <span>

#include "analyzer/detector/internal.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/selection.h"

namespace perf {
namespace {

constexpr std::size_t kLongest = 200;
constexpr std::size_t kFewest = 30;
constexpr double kLeastSlopeZ = 4;
constexpr double kLeastTotal = 0.02;  ///< relative
/// The standard error of Theil and Sen's slope for normal noise, in units of least squares'.
constexpr double kTheilSenError = 1.0233;

/// The median of all pairs' slopes: Sen, "Estimates of the regression coefficient based on
/// Kendall's tau", JASA 63 (1968), 1379-1389.
double theil_sen(std::span<const double> y) {
  std::vector<double> slopes;
  slopes.reserve(y.size() * (y.size() - 1) / 2);
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = i + 1; j < y.size(); ++j) {
      slopes.push_back((y[j] - y[i]) / static_cast<double>(j - i));
    }
  }
  return median_in_place(slopes);
}

/// Whether that median is certainly less, in all, than a slope is. Most series are flat, and it is
/// far cheaper to count the pairs beyond a slope than to sort them.
bool is_flat(std::span<const double> y) {
  constexpr double kCertainly = 0.9;
  const double least = kCertainly * kLeastTotal / static_cast<double>(y.size() - 1);
  const std::vector<double> less = less_line(y, least), more = less_line(y, -least);
  std::size_t rising = 0, falling = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = i + 1; j < y.size(); ++j) {
      rising += less[j] > less[i] ? 1 : 0;
      falling += more[j] < more[i] ? 1 : 0;
    }
  }
  const std::size_t pairs = y.size() * (y.size() - 1) / 2;
  return 2 * rising < pairs && 2 * falling < pairs;
}

double line_criterion(std::span<const double> y, double slope) {
  const std::vector<double> rest = less_line(y, slope);
  return criterion(squares_about(rest, mean(rest)), y.size(), 2);
}

/// No levels explain the points as well as the line does: neither those between the steps found,
/// nor the best two. By the points without outliers.
bool explains_better(double slope, std::span<const double> y,
                     const std::vector<std::size_t>& cuts) {
  const std::vector<double> clipped = noise_levels(y).clipped;
  const Cut best = CutFinder(clipped.size(), 1).best(cumulative_sums(clipped), 0);
  return line_criterion(clipped, slope) <
         std::min(levels_criterion(clipped, cuts), levels_criterion(clipped, {best.step}));
}

/// The steps within the last `n` points, counted from the first of those.
std::vector<std::size_t> cuts_among(const std::vector<FoundStep>& steps,
                                    const SearchedValues& series, std::size_t n) {
  const auto begin = series.position.end() - static_cast<std::ptrdiff_t>(n);
  std::vector<std::size_t> cuts;
  for (const FoundStep& step : steps) {
    const auto found = std::lower_bound(begin, series.position.end(), step.index);
    if (found != begin && found != series.position.end()) {
      cuts.push_back(static_cast<std::size_t>(found - begin));
    }
  }
  return cuts;
}

}  // namespace

std::optional<FoundSlope> find_slope(const std::vector<double>& values,
                                     const std::vector<FoundStep>& steps, Scale scale) {
  const SearchedValues series = searched_values(values, scale);
  const std::size_t n = std::min(series.y.size(), kLongest);
  if (n < kFewest) {
    return std::nullopt;
  }
  const std::size_t first = series.y.size() - n;
  const std::span<const double> y = std::span(series.y).subspan(first);
  if (is_flat(y)) {
    return std::nullopt;
  }
  const double points = static_cast<double>(n);
  const double slope = theil_sen(y);
  const double noise = noise_levels(less_line(y, slope)).long_run;
  const double error = kTheilSenError * noise / std::sqrt(points * points * points / 12);
  const double rise = slope * (points - 1);
  const double margin = kNormal95 * error * (points - 1);

  FoundSlope found;
  found.begin = series.position[first];
  found.end = series.position.back() + 1;
  found.per_point = relative_change(slope, scale);
  found.total = relative_change(rise, scale);
  found.interval = {relative_change(rise - margin, scale), relative_change(rise + margin, scale)};
  found.z = std::abs(slope) / error;
  if (found.z < kLeastSlopeZ || std::abs(found.total) < kLeastTotal ||
      !explains_better(slope, y, cuts_among(steps, series, n))) {
    return std::nullopt;
  }
  return found;
}

}  // namespace perf

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perf {

/// Cumulative sums of the values, n + 1 of them, taken about the first value for the digits' sake.
std::vector<double> cumulative_sums(std::span<const double> values);

/// The values less the mean of their part, parts between the cuts (positions, ascending).
std::vector<double> about_means(std::span<const double> values,
                                const std::vector<std::size_t>& cuts);

/// A cut of a range of values into two means.
struct Cut {
  std::size_t step = 0;  ///< first position of the right part
  /// (difference of the means)^2 l r / (l + r), l and r the points on either side: what the cut
  /// explains of the sum of squares. Divided by the variance, a squared t statistic.
  double explained = -1;
};

/// Finds the best cut of any range of one length, with `fewest` points or more on either side.
class CutFinder {
 public:
  CutFinder(std::size_t length, std::size_t fewest);

  /// The cut of [begin, begin + length) that explains most, the first of equals; `explained` is
  /// negative where the length allows none. `sums` are cumulative_sums of the whole series.
  Cut best(std::span<const double> sums, std::size_t begin) const;

 private:
  std::size_t fewest_;
  std::vector<double> weights_;  ///< length / (l r), by l
};

}  // namespace perf

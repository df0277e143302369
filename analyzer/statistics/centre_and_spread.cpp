#include "analyzer/statistics/centre_and_spread.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>

#include "schema/side_stats.h"

namespace perf {
namespace {

constexpr std::size_t kMany = 1000;
constexpr std::size_t kValuesPerSampled = 16, kMostSampled = 4096;
constexpr double kRankErrors = 1.5;  ///< times sqrt(sample): three standard errors of its middle

double nth(std::span<double> values, std::size_t rank) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// The values from `low` to `high`, moved to the front: how many, and how many are less. Nothing
/// depends on a comparison but counts, which processors like better than what nth_element does.
struct Between {
  std::size_t count = 0, below = 0;
};
Between gather(std::span<double> values, double low, double high) {
  Between found;
  for (double& value : values) {
    const double one = value;
    value = values[found.count];
    values[found.count] = one;
    found.count += static_cast<std::size_t>((one >= low) & (one <= high));
    found.below += static_cast<std::size_t>(one < low);
  }
  return found;
}

/// The median of many values: of those alone that lie where a sample says that it is (Floyd &
/// Rivest, "Expected time bounds for selection", CACM 18 (1975), 165-172).
std::optional<double> median_by_sample(std::span<double> values) {
  const std::size_t n = values.size();
  std::vector<double> sample(std::min(n / kValuesPerSampled, kMostSampled));
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sample[i] = values[i * (n / sample.size())];
  }
  const double s = static_cast<double>(sample.size());
  const auto margin = static_cast<std::size_t>(kRankErrors * std::sqrt(s));
  const double high = nth(sample, sample.size() / 2 + margin);
  const double low = nth(sample, sample.size() / 2 - margin);
  const auto [count, below] = gather(values, low, high);
  if ((n - 1) / 2 < below || n / 2 >= below + count) {
    return std::nullopt;
  }
  const std::span<double> between = values.first(count);
  const double upper = nth(between, n / 2 - below);
  return n % 2 != 0 ? upper : std::midpoint(nth(between, n / 2 - 1 - below), upper);
}

}  // namespace

double median(std::vector<double> values) {
  return median_in_place(values);
}

double median_in_place(std::span<double> values) {
  if (values.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const std::optional<double> found =
      values.size() < kMany ? std::nullopt : median_by_sample(values);
  return found ? *found : middle_value(values);
}

double mean(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) {
    mean += value / static_cast<double>(values.size());
  }
  return mean;
}

double squares_about(std::span<const double> values, double centre) {
  double squares = 0;
  for (const double value : values) {
    squares += (value - centre) * (value - centre);
  }
  return squares;
}

double products_about(std::span<const double> values, double centre) {
  double products = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    products += (values[i - 1] - centre) * (values[i] - centre);
  }
  return products;
}

CentreAndSpread centre_and_spread(std::span<const double> values) {
  std::vector<double> scratch(values.begin(), values.end());
  CentreAndSpread found;
  found.count = values.size();
  found.centre = median_in_place(scratch);
  for (double& value : scratch) {
    value = std::abs(value - found.centre);
  }
  found.spread = kNormalDeviations * median_in_place(scratch);
  return found;
}

}  // namespace perf

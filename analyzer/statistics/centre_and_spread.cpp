#include "analyzer/statistics/centre_and_spread.h"

#include <cmath>
#include <cstddef>

#include "schema/selection.h"

namespace perf {

double median(std::vector<double> values) {
  return median_in_place(values);
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

std::vector<double> distances_from_others(std::span<const double> values) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<double> others(values.begin(), values.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    distances.push_back(values[i] - median_in_place(others));
  }
  return distances;
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

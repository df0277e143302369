#include <algorithm>
#include <cmath>

#include "analyzer/detector/internal.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {

double criterion(double squares, std::size_t points, std::size_t parameters) {
  const double n = static_cast<double>(points);
  return n * std::log(std::max(squares / n, kLeastNoise * kLeastNoise)) +
         static_cast<double>(parameters) * std::log(n);
}

double levels_criterion(std::span<const double> y, const std::vector<std::size_t>& cuts,
                        std::size_t others) {
  return criterion(squares_about(about_means(y, cuts), 0), y.size(), 1 + 2 * cuts.size() + others);
}

std::vector<double> less_line(std::span<const double> y, double slope) {
  std::vector<double> rest(y.begin(), y.end());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    rest[i] -= slope * static_cast<double>(i);
  }
  return rest;
}

}  // namespace perf

#include "analyzer/detector/order_evidence.h"

#include <cmath>

namespace perf {
namespace {

constexpr double kBeyondChoice = 2;

/// ln of the likelihood of a share k / n seen in n points, at its best.
double log_likelihood(double k, double n) {
  const auto term = [n](double count) { return count > 0 ? count * std::log(count / n) : 0; };
  return term(k) + term(n - k);
}

double count_beyond(std::span<const double> y, double middle, bool is_rise) {
  double count = 0;
  for (const double value : y) {
    count += value == middle ? 0.5 : (value > middle) == is_rise ? 1 : 0;
  }
  return count;
}

}  // namespace

double order_evidence(std::span<const double> y, std::size_t step, double middle, bool is_rise) {
  const double left = static_cast<double>(step), right = static_cast<double>(y.size() - step);
  const double before = count_beyond(y.first(step), middle, is_rise);
  const double after = count_beyond(y.subspan(step), middle, is_rise);
  if (before * right >= after * left) {
    return 0;
  }
  return 2 * (log_likelihood(before, left) + log_likelihood(after, right) -
              log_likelihood(before + after, left + right));
}

double least_order_evidence(std::size_t points) {
  return 2 * std::log(static_cast<double>(points)) + kBeyondChoice;
}

}  // namespace perf

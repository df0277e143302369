#include "analyzer/statistics/session_noise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace perf {
namespace {

constexpr double kUpperBound = 2.33;       ///< standard errors: 99 %, one-sided
constexpr double kMostCorrelation = 0.99;  ///< at 1 nothing is known at all

/// Sums over the deviations of a side from its mean.
struct Products {
  double squares = 0;     ///< each with itself
  double neighbours = 0;  ///< each with the next
};

Products products_of(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) {
    mean += value / static_cast<double>(values.size());
  }
  Products products;
  for (std::size_t i = 0; i < values.size(); ++i) {
    products.squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) {
      products.neighbours += (values[i - 1] - mean) * (values[i] - mean);
    }
  }
  return products;
}

bool all_equal(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [&values](double value) { return value == values.front(); });
}

double upper_correlation(std::span<const double> base, std::span<const double> head) {
  if (all_equal(base) && all_equal(head)) {
    return 0;
  }
  const Products a = products_of(base), b = products_of(head);
  const double squares = a.squares + b.squares;
  const auto sessions = static_cast<double>(base.size() + head.size());
  const double each = sessions / 2;
  const double r = (a.neighbours + b.neighbours) / squares;
  const double unbiased = (r + 1 / each) / std::max(1 - 3 / each, 0.25);
  return std::clamp(unbiased + kUpperBound / std::sqrt(sessions), 0.0, kMostCorrelation);
}

/// V: how many times the variance of a mean grows.
double variance_growth(std::size_t count, double correlation) {
  double growth = 1, power = 1;
  for (std::size_t lag = 1; lag < count; ++lag) {
    power *= correlation;
    growth += 2 * (1 - static_cast<double>(lag) / static_cast<double>(count)) * power;
  }
  return growth;
}

/// What a side adds to the squared standard error, in units of one value's variance.
double squared_error(std::size_t count, double correlation) {
  const auto n = static_cast<double>(count);
  const double independent = n / variance_growth(count, correlation);
  return (n - 1) / (n * (independent - 1));
}

}  // namespace

SessionNoise session_noise(std::span<const double> base, std::span<const double> head) {
  SessionNoise noise;
  noise.correlation = upper_correlation(base, head);
  const double aware =
      squared_error(base.size(), noise.correlation) + squared_error(head.size(), noise.correlation);
  const double unaware = squared_error(base.size(), 0) + squared_error(head.size(), 0);
  noise.widening = std::max(1.0, std::sqrt(aware / unaware));
  return noise;
}

}  // namespace perf

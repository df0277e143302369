#include "analyzer/statistics/pair_order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"

namespace perf {
namespace {

constexpr double kCounts = 0.3;       ///< a correlation, from here on
constexpr double kPairsPerUnit = 80;  ///< of few pairs from n / 80 on
constexpr double kMost = 0.9;
/// They may be correlated from (n - 12) / 40 on.
constexpr double kFewestThatTell = 12, kPairsPerUnitSafe = 40;

double seen_correlation(std::span<const double> differences) {
  const double squares = squares_about(differences, mean(differences));
  double steps = 0;
  for (std::size_t i = 1; i < differences.size(); ++i) {
    steps += (differences[i] - differences[i - 1]) * (differences[i] - differences[i - 1]);
  }
  return steps > 0 ? 1 - steps / (2 * squares) : 0;  // equal ones are off their mean by rounding
}

}  // namespace

PairOrder pair_order(std::span<const double> differences) {
  const auto n = static_cast<double>(differences.size());
  const double seen = seen_correlation(differences);
  if (seen < std::min(kCounts, n / kPairsPerUnit)) {
    return {};
  }
  PairOrder order;
  order.correlation = std::min(seen / std::max(1 - 3 / n, 0.25) + 1 / std::sqrt(n), kMost);
  order.widening = widening_by(differences.size(), order.correlation);
  return order;
}

bool may_be_correlated(std::span<const double> differences) {
  const auto n = static_cast<double>(differences.size());
  return differences.size() < kPairsThatTellOrder && differences.size() > 1 &&
         seen_correlation(differences) >= (n - kFewestThatTell) / kPairsPerUnitSafe;
}

}  // namespace perf

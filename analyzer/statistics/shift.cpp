#include "analyzer/statistics/shift.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analyzer/statistics/signed_rank.h"
#include "analyzer/statistics/walsh_averages.h"

namespace perf {

std::optional<Shift> estimate_shift(std::span<const double> differences, double look_alpha) {
  const int pairs = static_cast<int>(differences.size());
  const std::int64_t k = signed_rank_k(pairs, look_alpha);
  if (k == 0) {
    return std::nullopt;
  }
  std::vector<double> sorted(differences.begin(), differences.end());
  std::sort(sorted.begin(), sorted.end());
  const WalshSides sides = walsh_sides(sorted, 0);

  Shift shift;
  shift.estimate = hodges_lehmann(sorted);
  shift.low = walsh_order_statistic(sorted, k);
  shift.high = walsh_order_statistic(sorted, walsh_count(pairs) + 1 - k);
  shift.p_value =
      std::min(1.0, 2 * signed_rank_cdf(pairs, std::min(sides.at_or_below, sides.at_or_above)));
  return shift;
}

double estimate_centre(std::span<const double> differences) {
  if (differences.empty()) {
    return 0;
  }
  std::vector<double> sorted(differences.begin(), differences.end());
  std::sort(sorted.begin(), sorted.end());
  return hodges_lehmann(sorted);
}

}  // namespace perf

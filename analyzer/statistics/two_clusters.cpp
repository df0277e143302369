#include "analyzer/statistics/two_clusters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

constexpr std::size_t kFewest = 11;  // the bound is fitted from here on

double explained_by_chance(std::size_t count) {
  const auto n = static_cast<double>(count);
  const double log_odds = std::log(3.0) + (6.2 + 47 / n) / std::sqrt(n);
  return 1 / (1 + std::exp(-log_odds));
}

}  // namespace

std::optional<Clusters> two_clusters(std::span<const double> values) {
  const std::size_t count = values.size();
  if (count < kFewest) {
    return std::nullopt;
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  if (sorted.front() == sorted.back()) {
    return std::nullopt;
  }
  const double centre = mean(sorted);
  const double squares = squares_about(sorted, centre);
  const std::size_t fewest = (count + 3) / 4;
  Clusters best;
  double below = 0;  // sum of what lies under the cut, less the centre
  for (std::size_t cut = 1; cut + fewest <= count; ++cut) {
    below += sorted[cut - 1] - centre;
    const auto under = static_cast<double>(cut);
    const auto over = static_cast<double>(count - cut);
    const double explained = below * below * (1 / under + 1 / over) / squares;
    if (cut >= fewest && explained > best.explained) {
      best = {centre + below / under, centre - below / over, over / static_cast<double>(count),
              explained};
    }
  }
  return best.explained > explained_by_chance(count) ? std::optional(best) : std::nullopt;
}

}  // namespace perf

#include "analyzer/statistics/pair_order.h"

#include <algorithm>
#include <array>
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

/// The group of a pair by each of the four divisions; absent: in neither.
std::array<std::optional<bool>, 4> groups_of(const PairPlace& place) {
  const std::optional<bool> before_first = place.after_base;
  const auto followed = [&](bool is_first, bool other) {
    return is_first ? before_first : std::optional(other);
  };
  return {place.base_first,
          before_first ? std::optional(*before_first == place.base_first) : std::nullopt,
          followed(!place.base_first, true), followed(place.base_first, false)};
}

}  // namespace

double neighbour_correlation(std::span<const double> differences) {
  const double squares = squares_about(differences, mean(differences));
  double steps = 0;
  for (std::size_t i = 1; i < differences.size(); ++i) {
    steps += (differences[i] - differences[i - 1]) * (differences[i] - differences[i - 1]);
  }
  return steps > 0 ? 1 - steps / (2 * squares) : 0;  // equal ones are off their mean by rounding
}

std::optional<OrderEffect> order_effect(std::span<const double> differences,
                                        std::span<const PairPlace> places, double level) {
  constexpr std::size_t kDivisions = 4;
  std::optional<OrderEffect> clearest;
  for (std::size_t division = 0; division < kDivisions; ++division) {
    std::array<std::vector<double>, 2> groups;
    for (std::size_t i = 0; i < std::min(differences.size(), places.size()); ++i) {
      if (const std::optional<bool> group = groups_of(places[i])[division]) {
        groups[*group ? 1 : 0].push_back(differences[i]);
      }
    }
    if (groups[0].empty() || groups[1].empty()) {
      continue;
    }
    const std::optional<Shift> shift = repetitions_shift(groups[0], groups[1], level);
    const OrderEffect effect{estimate_centre(groups[0]), estimate_centre(groups[1])};
    if (shift && excludes_zero(*shift) &&
        (!clearest ||
         std::abs(effect.one - effect.other) > std::abs(clearest->one - clearest->other))) {
      clearest = effect;
    }
  }
  return clearest;
}

PairOrder pair_order(std::span<const double> differences) {
  const auto n = static_cast<double>(differences.size());
  const double seen = neighbour_correlation(differences);
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
         neighbour_correlation(differences) >= (n - kFewestThatTell) / kPairsPerUnitSafe;
}

}  // namespace perf

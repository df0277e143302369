#include "analyzer/statistics/session_control.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr double kBoundMisses = 0.05;   ///< of the median distance
constexpr double kLeastReach = 0.4055;  ///< ln 1.5
constexpr double kMedianOfT3 = 0.7649;  ///< of |t|, 3 degrees of freedom

/// P(|t| > x), 3 degrees of freedom: Johnson, Kotz & Balakrishnan, "Continuous Univariate
/// Distributions", volume 2, section 28.2.
double beyond_t3(double x) {
  const double u = x / std::sqrt(3.0);
  return 1 - 2 / std::numbers::pi * (std::atan(u) + u / (1 + u * u));
}

/// The smallest r with P(Binomial(count, 1/2) >= r) <= kBoundMisses: the r-th smallest of `count`
/// values then exceeds their distribution's median with 95 %. At most a thousand.
std::size_t rank_above_median(std::size_t count) {
  double tail = 0;
  double share = std::ldexp(1.0, -static_cast<int>(count));
  for (std::size_t r = count; r > 0; --r) {
    tail += share;  // P(= r)
    if (tail > kBoundMisses) {
      return r + 1;
    }
    share *= static_cast<double>(r) / static_cast<double>(count - r + 1);
  }
  return 1;
}

}  // namespace

double quantile_t3(double level) {
  double low = 0, high = 1;
  while (beyond_t3(high) > level && high < 1e6) {
    high *= 2;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (beyond_t3(middle) > level ? low : high) = middle;
  }
  return high;
}

std::optional<SessionControl> session_control(std::span<const double> others, double level) {
  if (others.size() < static_cast<std::size_t>(kFewestControls)) {
    return std::nullopt;
  }
  SessionControl control;
  control.centre = median({others.begin(), others.end()});
  std::vector<double> distances =
      mapped(others, [&](const double other) { return std::abs(other - control.centre); });
  std::ranges::sort(distances);
  const double scale = distances[rank_above_median(distances.size()) - 1] / kMedianOfT3;
  control.reach = std::max(quantile_t3(level) * scale, kLeastReach);
  return control;
}

std::optional<Shift> controlled_shift(std::span<const double> base, std::span<const double> head,
                                      std::span<const double> others, double level) {
  const auto control = session_control(others, level / 2);
  const auto own = repetitions_shift(base, head, level / 2);
  if (!control || !own) {
    return std::nullopt;
  }
  return Shift{.estimate = own->estimate,
               .low = own->low - std::max(control->centre, 0.0) - control->reach,
               .high = own->high - std::min(control->centre, 0.0) + control->reach};
}

}  // namespace perf

#include "analyzer/statistics/session_control.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
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

/// For the repetitions of few values; the rest is for the noise between sessions.
constexpr double kShareOfRanges = 0.75;

double error_of_ranges(int rows, int repetitions) {
  return rows * std::pow(4.0, -repetitions);
}

Shift shift_by_ranges(const std::vector<double>& base, const std::vector<double>& head) {
  const auto [least_base, most_base] = std::ranges::minmax(base);
  const auto [least_head, most_head] = std::ranges::minmax(head);
  const double range = std::max(most_base - least_base, most_head - least_head);
  return {.estimate = two_sample_estimate(base, head),
          .low = least_head - most_base - range,
          .high = most_head - least_base + range};
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

int fewest_repetitions(int rows, double alpha) {
  int repetitions = 1;
  while (error_of_ranges(rows, repetitions) > kShareOfRanges * alpha) {
    ++repetitions;
  }
  return repetitions;
}

std::optional<Shift> controlled_shift(const SessionRepetitions& base,
                                      const SessionRepetitions& head,
                                      std::span<const double> others, int rows, double alpha) {
  const std::size_t repetitions = std::min(base.values.size(), head.values.size());
  double between = alpha / rows / 2;
  std::optional<Shift> own;
  if (repetitions > 0) {
    own = repetitions_shift(base.values, head.values, alpha / rows / 2);
    if (!own && std::cmp_greater_equal(repetitions, fewest_repetitions(rows, alpha))) {
      own = shift_by_ranges(base.values, head.values);
      between = (alpha - error_of_ranges(rows, static_cast<int>(repetitions))) / rows;
    }
  } else if (base.error > 0 && head.error > 0) {
    const double reach = quantile_t3(alpha / rows / 2) * std::hypot(base.error, head.error);
    const double estimate = head.centre - base.centre;
    own = Shift{.estimate = estimate, .low = estimate - reach, .high = estimate + reach};
  }
  const auto control = session_control(others, between);
  if (!control || !own) {
    return std::nullopt;
  }
  return Shift{.estimate = own->estimate,
               .low = own->low - std::max(control->centre, 0.0) - control->reach,
               .high = own->high - std::min(control->centre, 0.0) + control->reach};
}

}  // namespace perf

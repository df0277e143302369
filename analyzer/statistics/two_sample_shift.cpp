#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/session_control.h"
#include "analyzer/statistics/shift.h"
#include "schema/selection.h"

namespace perf {
namespace {

constexpr double kUpperBound = 2.33;       ///< standard errors: 99 %, one-sided
constexpr double kMostCorrelation = 0.99;  ///< of what may be so high nothing is known at all

bool all_equal(std::span<const double> values) {
  return std::ranges::count(values, values.front()) == std::ssize(values);
}

double upper_correlation(std::span<const double> base, std::span<const double> head) {
  if (all_equal(base) && all_equal(head)) {
    return 0;
  }
  const double at_base = mean(base), at_head = mean(head);
  const double squares = squares_about(base, at_base) + squares_about(head, at_head);
  const double products = products_about(base, at_base) + products_about(head, at_head);
  const auto sessions = static_cast<double>(base.size() + head.size());
  const double each = sessions / 2;
  const double r = products / squares;
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

/// What the mean of `part` of a side's values adds to the squared standard error, in units of the
/// sample variance of all `count` of them.
double squared_error(std::size_t count, std::size_t part, double correlation) {
  const auto n = static_cast<double>(count);
  const double of_variance = (n - 1) / (n - variance_growth(count, correlation));
  return of_variance * variance_growth(part, correlation) / static_cast<double>(part);
}

double squared_error(std::size_t count, double correlation) {
  return squared_error(count, count, correlation);
}

std::vector<double> differences_of(std::span<const double> base, std::span<const double> head) {
  std::vector<double> differences;
  differences.reserve(base.size() * head.size());
  for (const double y : head) {
    for (const double x : base) {
      differences.push_back(y - x);
    }
  }
  return differences;
}

/// The k-th smallest and the k-th largest.
Interval order_statistics(std::vector<double>& values, std::int64_t k) {
  const auto at = [&](std::int64_t rank) {
    return nth_in_place(values, static_cast<std::size_t>(rank - 1));
  };
  return {at(k), at(std::ssize(values) + 1 - k)};
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

double widening_by(std::size_t count, double correlation) {
  return std::max(1.0, std::sqrt(squared_error(count, correlation) / squared_error(count, 0)));
}

double two_sample_estimate(std::span<const double> base, std::span<const double> head) {
  return median(differences_of(base, head));
}

std::optional<TwoSampleShift> estimate_two_sample_shift(std::span<const double> base,
                                                        std::span<const double> head,
                                                        double alpha) {
  if (std::min(base.size(), head.size()) < static_cast<std::size_t>(kFewestSessions)) {
    return std::nullopt;
  }
  const std::optional<Shift> plain = repetitions_shift(base, head, alpha);
  if (!plain) {
    return std::nullopt;
  }
  const SessionNoise noise = session_noise(base, head);
  return TwoSampleShift{widened(*plain, noise.widening), noise};
}

Shift shift_of_last(std::span<const double> base, std::size_t own, std::span<const double> head,
                    double alpha, const SessionNoise& noise) {
  const auto freedom = static_cast<double>(base.size() + head.size() - 2);
  const double variance =
      (squares_about(base, mean(base)) + squares_about(head, mean(head))) / freedom;
  const double error = std::sqrt(variance * (squared_error(base.size(), own, noise.correlation) +
                                             squared_error(head.size(), noise.correlation)));
  const double estimate = median({head.begin(), head.end()}) -
                          median({base.end() - static_cast<std::ptrdiff_t>(own), base.end()});
  const double reach = quantile_t3(alpha) / std::numbers::sqrt3 * error;
  return {estimate, estimate - reach, estimate + reach};
}

std::optional<Shift> repetitions_shift(std::span<const double> base, std::span<const double> head,
                                       double alpha) {
  const std::int64_t k =
      mann_whitney_k(static_cast<int>(base.size()), static_cast<int>(head.size()), alpha);
  if (k == 0) {
    return std::nullopt;
  }
  std::vector<double> differences = differences_of(base, head);
  const double estimate = median(differences);
  const auto [low, high] = order_statistics(differences, k);
  return Shift{estimate, low, high};
}

int fewest_sessions(double alpha) {
  int sessions = kFewestSessions;
  while (sessions < kExactSessions && mann_whitney_k(sessions, sessions, alpha) == 0) {
    ++sessions;
  }
  return sessions;
}

std::optional<HalvesShift> halves_shift(std::span<const double> values, double level) {
  const std::span<const double> first = values.first(values.size() / 2);
  const std::span<const double> second = values.subspan(values.size() / 2);
  const std::int64_t k =
      mann_whitney_k(static_cast<int>(first.size()), static_cast<int>(second.size()), level);
  if (k == 0) {
    return std::nullopt;
  }
  std::vector<double> differences = differences_of(first, second);
  const auto [low, high] = order_statistics(differences, k);
  return HalvesShift{estimate_centre(first), estimate_centre(second), median_in_place(differences),
                     low, high};
}

}  // namespace perf

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/detector/internal.h"

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

/// 0 where the share beyond the middle does not grow in the direction of the step.
double by_shares(std::span<const double> y, std::size_t step, double middle, bool is_rise) {
  const double left = static_cast<double>(step), right = static_cast<double>(y.size() - step);
  const double before = count_beyond(y.first(step), middle, is_rise);
  const double after = count_beyond(y.subspan(step), middle, is_rise);
  if (before * right >= after * left) {
    return 0;
  }
  return 2 * (log_likelihood(before, left) + log_likelihood(after, right) -
              log_likelihood(before + after, left + right));
}

/// The square of Wilcoxon's rank sum in its standard errors. Equal values share their middle rank.
double by_ranks(std::span<const double> y, std::size_t step, bool is_rise) {
  std::vector<double> sorted(y.begin(), y.end());  // on either side of the step
  const std::span<double> before = std::span(sorted).first(step),
                          after = std::span(sorted).subspan(step);
  std::ranges::sort(before);
  std::ranges::sort(after);
  double ranks_before = 0, ties = 0;
  for (std::size_t i = 0, j = 0; i < before.size() || j < after.size();) {
    const double least =
        j == after.size() || (i < before.size() && before[i] < after[j]) ? before[i] : after[j];
    const std::size_t less = i + j, less_before = i;
    for (; i < before.size() && before[i] == least; ++i) {
    }
    for (; j < after.size() && after[j] == least; ++j) {
    }
    const double rank = static_cast<double>(less + i + j + 1) / 2;
    const double equal = static_cast<double>(i + j - less);
    ties += equal * (equal * equal - 1);
    ranks_before += rank * static_cast<double>(i - less_before);
  }
  const double n = static_cast<double>(y.size()), left = static_cast<double>(step);
  const double variance = left * (n - left) / 12 * (n + 1 - ties / (n * (n - 1)));
  const double excess = (is_rise ? 1 : -1) * (left * (n + 1) / 2 - ranks_before);
  return excess > 0 && variance > 0 ? excess * excess / variance : 0;
}

}  // namespace

double order_evidence(std::span<const double> y, std::size_t step, double middle, bool is_rise,
                      double enough) {
  const double shares = by_shares(y, step, middle, is_rise);
  return shares >= enough ? shares : std::max(shares, by_ranks(y, step, is_rise));
}

double least_order_evidence(std::size_t points) {
  return 2 * std::log(static_cast<double>(points)) + kBeyondChoice;
}

}  // namespace perf

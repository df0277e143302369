#include <algorithm>
#include <cmath>
#include <utility>
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
  std::vector<std::pair<double, bool>> sorted;  // the values, and which are before the step
  sorted.reserve(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    sorted.emplace_back(y[i], i < step);
  }
  std::ranges::sort(sorted);
  double ranks_before = 0, ties = 0;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::ranges::upper_bound(begin, sorted.end(), begin->first, {},
                                              &std::pair<double, bool>::first);
    const double rank = static_cast<double>(begin - sorted.begin() + end - sorted.begin() + 1) / 2;
    const double equal = static_cast<double>(end - begin);
    ties += equal * (equal * equal - 1);
    ranks_before += rank * static_cast<double>(std::count_if(
                               begin, end, [](const auto& one) { return one.second; }));
    begin = end;
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

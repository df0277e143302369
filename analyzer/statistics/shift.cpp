#include "analyzer/statistics/shift.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/statistics/log_ratio.h"
#include "analyzer/statistics/rank_distributions.h"

namespace perf {
namespace {

// For every row i, the first column j >= i whose sum x_i + x_j is no longer below the pivot (or,
// with `inclusive`, no longer at or below it). The cuts move left as the rows go down, so one walk
// over the staircase finds them all. Returns the number of cells before the cuts.
std::int64_t cut_rows(std::span<const double> x, double pivot, bool inclusive,
                      std::vector<std::size_t>& cuts) {
  const std::size_t n = x.size();
  std::int64_t cells = 0;
  std::size_t column = n;
  for (std::size_t row = 0; row < n; ++row) {
    while (column > row) {
      const double sum = x[row] + x[column - 1];
      if (inclusive ? sum <= pivot : sum < pivot) {
        break;
      }
      --column;
    }
    cuts[row] = std::max(column, row);
    cells += static_cast<std::int64_t>(cuts[row] - row);
  }
  return cells;
}

// The sum at the wanted position among the cells that are still in question.
double cell_at(std::span<const double> x, const std::vector<std::size_t>& left,
               const std::vector<std::size_t>& right, std::uint64_t position) {
  for (std::size_t row = 0; row < x.size(); ++row) {
    const std::uint64_t width = right[row] > left[row] ? right[row] - left[row] : 0;
    if (position < width) {
      return x[row] + x[left[row] + position];
    }
    position -= width;
  }
  assert(false);
  return 0;
}

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

std::uint64_t cells_between(const std::vector<std::size_t>& left,
                            const std::vector<std::size_t>& right) {
  std::uint64_t cells = 0;
  for (std::size_t row = 0; row < left.size(); ++row) {
    cells += right[row] > left[row] ? right[row] - left[row] : 0;
  }
  return cells;
}

}  // namespace

std::optional<Shift> estimate_shift(std::span<const double> differences, double look_alpha) {
  const int pairs = static_cast<int>(differences.size());
  const std::int64_t k = signed_rank_k(pairs, look_alpha);
  if (k == 0) {
    return std::nullopt;
  }
  const std::vector<double> sorted = sorted_copy(differences);
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
  return differences.empty() ? 0 : hodges_lehmann(sorted_copy(differences));
}

double walsh_order_statistic(std::span<const double> sorted, std::int64_t rank) {
  const std::size_t n = sorted.size();
  assert(n > 0 && rank >= 1 && rank <= walsh_count(static_cast<int>(n)));
  std::vector<std::size_t> left(n), right(n, n), below(n), through(n);
  for (std::size_t row = 0; row < n; ++row) {
    left[row] = row;
  }
  // Any pivot is right; a fixed multiplicative generator makes bad luck unlikely and runs
  // repeatable.
  std::uint64_t draw = 0x9E3779B97F4A7C15u;
  while (true) {
    draw = draw * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t cells = cells_between(left, right);
    assert(cells > 0);  // the wanted cell is never cut off
    const double pivot =
        cell_at(sorted, left, right, (draw >> 11) % std::max<std::uint64_t>(cells, 1));
    if (rank <= cut_rows(sorted, pivot, false, below)) {
      right = below;
    } else if (rank > cut_rows(sorted, pivot, true, through)) {
      left = through;
    } else {
      return 0.5 * pivot;
    }
  }
}

double hodges_lehmann(std::span<const double> sorted) {
  const std::int64_t count = walsh_count(static_cast<int>(sorted.size()));
  const double upper = walsh_order_statistic(sorted, count / 2 + 1);
  if (count % 2 == 1) {
    return upper;
  }
  return 0.5 * (walsh_order_statistic(sorted, count / 2) + upper);
}

WalshSides walsh_sides(std::span<const double> sorted, double value) {
  std::vector<std::size_t> cuts(sorted.size());
  const std::int64_t count = walsh_count(static_cast<int>(sorted.size()));
  WalshSides sides;
  sides.at_or_below = cut_rows(sorted, 2 * value, true, cuts);
  sides.at_or_above = count - cut_rows(sorted, 2 * value, false, cuts);
  return sides;
}

std::optional<Interval> relative_interval(const Shift& shift) {
  const std::optional<double> low = relative_change(shift.low), high = relative_change(shift.high);
  return low && high ? std::optional(Interval{*low, *high}) : std::nullopt;
}

std::pair<std::optional<double>, std::optional<Interval>> shown_change(
    std::span<const double> differences, double alpha) {
  if (differences.empty()) {
    return {};
  }
  if (const std::optional<Shift> shift = estimate_shift(differences, alpha)) {
    return {relative_change(shift->estimate), relative_interval(*shift)};
  }
  return {relative_change(estimate_centre(differences)), std::nullopt};
}

}  // namespace perf

#include "analyzer/statistics/shift.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "schema/selection.h"

namespace perf {
namespace {

// So many cells a row are laid out rather than cut further: a walk takes about as long.
constexpr std::size_t kLaidOut = 4;

// How far off the sums between which the wanted one is looked for are, in standard deviations of a
// rank in a random sample; an even one is better.
constexpr double kMargin = 0.6;

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

// Of every row the columns in question: [left, right).
struct Staircase {
  std::vector<std::size_t> left, right;

  std::size_t width(std::size_t row) const {
    return right[row] > left[row] ? right[row] - left[row] : 0;
  }
  std::size_t cells() const {
    std::size_t cells = 0;
    for (std::size_t row = 0; row < left.size(); ++row) {
      cells += width(row);
    }
    return cells;
  }
};

// How many cells of an ascending matrix lie at or before this one in row and in column, itself
// among them: its sum has this rank or a higher one.
std::int64_t cells_up_to(std::size_t row, std::size_t column) {
  const auto i = static_cast<std::int64_t>(row), j = static_cast<std::int64_t>(column);
  return (i + 1) * (j + 1) - i * (i + 1) / 2;
}

// The cells that may have this rank by their place alone: neither too many lie before them, nor,
// seen from the other corner, behind them. Both ends move left as the rows go down.
Staircase cells_in_question(std::size_t n, std::int64_t rank) {
  const std::int64_t rank_from_behind = walsh_count(static_cast<int>(n)) + 1 - rank;
  Staircase stairs{std::vector<std::size_t>(n), std::vector<std::size_t>(n)};
  std::size_t left = n, right = n;
  for (std::size_t row = 0; row < n; ++row) {
    while (left > row && cells_up_to(n - left, n - 1 - row) <= rank_from_behind) {
      --left;
    }
    while (right > row && cells_up_to(row, right - 1) > rank) {
      --right;
    }
    stairs.left[row] = std::max(left, row);
    stairs.right[row] = right;
  }
  return stairs;
}

// Leaves what lies behind the cuts, or before them.
void cut(Staircase& stairs, const std::vector<std::size_t>& cuts, bool behind) {
  if (behind) {
    std::ranges::transform(stairs.left, cuts, stairs.left.begin(), std::ranges::max);
  } else {
    std::ranges::transform(stairs.right, cuts, stairs.right.begin(), std::ranges::min);
  }
}

// How many cells left of those in question.
std::int64_t cells_before(const Staircase& stairs) {
  std::int64_t before = 0;
  for (std::size_t row = 0; row < stairs.left.size(); ++row) {
    before += static_cast<std::int64_t>(stairs.left[row] - row);
  }
  return before;
}

// Every step-th sum of the cells in question.
std::vector<double> sample_of(std::span<const double> x, const Staircase& stairs,
                              std::size_t step) {
  std::vector<double> sums;
  std::size_t next = step / 2;
  for (std::size_t row = 0; row < x.size(); ++row) {
    const std::size_t width = stairs.width(row);
    for (; next < width; next += step) {
      sums.push_back(x[row] + x[stairs.left[row] + next]);
    }
    next -= width;
  }
  return sums;
}

// Two sums in question that most likely have the wanted one between them.
std::pair<double, double> pivots(std::span<const double> x, const Staircase& stairs,
                                 std::size_t cells, std::int64_t rank) {
  std::vector<double> sample = sample_of(x, stairs, cells / x.size());
  const auto size = static_cast<double>(sample.size());
  const double share =
      static_cast<double>(rank - 1 - cells_before(stairs)) / static_cast<double>(cells);
  const double margin = kMargin * std::sqrt(size * share * (1 - share)) + 1;
  const auto low = static_cast<std::size_t>(std::lround(std::max(size * share - margin, 0.0)));
  const auto high =
      static_cast<std::size_t>(std::lround(std::min(size * share + margin, size - 1)));
  const double lower = nth_in_place(sample, low);
  return {lower, nth_in_place(std::span(sample).subspan(low), high - low)};
}

// The sum of this rank, found among the cells in question laid out.
double laid_out_at(std::span<const double> x, const Staircase& stairs, std::int64_t rank) {
  std::vector<double> sums;
  sums.reserve(stairs.cells());
  for (std::size_t row = 0; row < x.size(); ++row) {
    for (std::size_t column = stairs.left[row]; column < stairs.right[row]; ++column) {
      sums.push_back(x[row] + x[column]);
    }
  }
  const std::int64_t wanted = rank - 1 - cells_before(stairs);
  assert(wanted >= 0 && wanted < std::ssize(sums));
  return nth_in_place(sums, static_cast<std::size_t>(wanted));
}

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
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
  Staircase stairs = cells_in_question(n, rank);
  std::vector<std::size_t> cuts(n);
  for (std::size_t cells = stairs.cells(); cells > kLaidOut * n; cells = stairs.cells()) {
    const auto [low, high] = pivots(sorted, stairs, cells, rank);
    const bool after_low = rank > cut_rows(sorted, low, true, cuts);
    cut(stairs, cuts, after_low);
    const bool before_high = rank <= cut_rows(sorted, high, false, cuts);
    cut(stairs, cuts, !before_high);
    if (low == high && !after_low && !before_high) {
      return 0.5 * low;
    }
  }
  return 0.5 * laid_out_at(sorted, stairs, rank);
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

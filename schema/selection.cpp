#include "schema/selection.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace perf {
namespace {

constexpr std::size_t kFew = 48;  ///< values: std::nth_element is as fast
constexpr int kMostRounds = 64;  ///< of bad pivots; then std::nth_element, which is never quadratic

double middle_of(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// About the middle of many values: the middle of three middles of three.
double pivot_of(std::span<const double> values) {
  const auto at = [&](std::size_t ninth) { return values[values.size() * ninth / 9]; };
  return middle_of(middle_of(at(0), at(1), at(2)), middle_of(at(3), at(4), at(5)),
                   middle_of(at(6), at(7), at(8)));
}

/// Moves what precedes the rest to the front, and counts it. Nothing depends on a comparison but
/// that count: a processor cannot foretell how two values compare.
template <class Precedes>
std::size_t move_to_front(std::span<double> values, Precedes precedes) {
  std::size_t count = 0;
  for (double& value : values) {
    const double one = value;
    value = values[count];
    values[count] = one;
    count += static_cast<std::size_t>(precedes(one));
  }
  return count;
}

}  // namespace

double nth_in_place(std::span<double> values, std::size_t rank) {
  for (int round = 0; values.size() > kFew && round < kMostRounds; ++round) {
    const double pivot = pivot_of(values);
    const std::size_t less = move_to_front(values, [=](double one) { return one < pivot; });
    if (rank < less) {
      values = values.first(less);
      continue;
    }
    values = values.subspan(less);
    rank -= less;
    const std::size_t equal = move_to_front(values, [=](double one) { return one <= pivot; });
    if (rank < equal) {
      return pivot;
    }
    values = values.subspan(equal);
    rank -= equal;
  }
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double median_in_place(std::span<double> values) {
  if (values.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const std::size_t half = values.size() / 2;
  const double upper = nth_in_place(values, half);
  return values.size() % 2 != 0
             ? upper
             : std::midpoint(*std::ranges::max_element(values.first(half)), upper);
}

}  // namespace perf

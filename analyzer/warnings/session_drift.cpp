#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/warnings/row_warnings.h"

namespace perf {
namespace {

// n (n-1) (2n+5), of which ties take their own part away.
double variance_term(std::size_t count) {
  const auto n = static_cast<double>(count);
  return n * (n - 1) * (2 * n + 5);
}

// Of Kendall's S under the null.
double variance_of_s(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  double term = variance_term(sorted.size());
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first);
    term -= variance_term(static_cast<std::size_t>(last - first));
    first = last;
  }
  return term / 18;
}

}  // namespace

std::optional<Drift> session_drift(std::span<const double> values) {
  const std::size_t count = values.size();
  if (count < 3) {
    return std::nullopt;
  }
  double s = 0;
  std::vector<double> slopes;
  slopes.reserve(count * (count - 1) / 2);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const double rise = values[j] - values[i];
      s += rise > 0 ? 1 : rise < 0 ? -1 : 0;
      slopes.push_back(rise / static_cast<double>(j - i));
    }
  }
  Drift drift;
  drift.size = median(std::move(slopes)) * static_cast<double>(count - 1);
  const double variance = variance_of_s(values);
  if (variance > 0 && s != 0) {
    const double z = (std::abs(s) - 1) / std::sqrt(variance);
    drift.p_value = std::erfc(z / std::sqrt(2.0));
  }
  return drift;
}

}  // namespace perf

#include "analyzer/statistics/halves.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/statistics/mann_whitney.h"
#include "analyzer/statistics/shift.h"
#include "analyzer/statistics/two_sample_shift.h"

namespace perf {
std::optional<HalvesShift> halves_shift(std::span<const double> values, double level) {
  const std::span<const double> first = values.first(values.size() / 2);
  const std::span<const double> second = values.subspan(values.size() / 2);
  if (first.empty()) {
    return std::nullopt;
  }
  const std::int64_t k =
      mann_whitney_k(static_cast<int>(first.size()), static_cast<int>(second.size()), level);
  if (k == 0) {
    return std::nullopt;
  }
  std::vector<double> differences;
  differences.reserve(first.size() * second.size());
  for (const double later : second) {
    for (const double earlier : first) {
      differences.push_back(later - earlier);
    }
  }
  std::sort(differences.begin(), differences.end());
  HalvesShift halves;
  halves.first = estimate_centre(first);
  halves.second = estimate_centre(second);
  halves.low = differences[static_cast<std::size_t>(k) - 1];
  halves.high = differences[differences.size() - static_cast<std::size_t>(k)];
  halves.shift = two_sample_estimate(first, second);
  return halves;
}

}  // namespace perf

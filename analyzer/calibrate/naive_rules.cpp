#include "analyzer/calibrate/naive_rules.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analyzer/statistics/log_ratio.h"

namespace perf {
namespace {

double distance(double first, double second) {
  return std::abs(log_ratio(first, second).value_or(0));
}

}  // namespace

NaiveDistances naive_distances(std::span<const PairedSample> pairs) {
  NaiveDistances distances;
  for (const PairedSample& pair : pairs) {
    distances.one_run.push_back(distance(pair.base.value, pair.head.value));
  }
  constexpr std::size_t kRuns = kNaiveRuns;
  for (std::size_t at = 0; at + 2 * kRuns <= pairs.size(); ++at) {
    double base = 0, head = 0;
    for (std::size_t run = 0; run < kRuns; ++run) {
      base += pairs[at + run].base.value / kRuns;
      head += pairs[at + kRuns + run].head.value / kRuns;
    }
    distances.five_runs.push_back(distance(base, head));
  }
  return distances;
}

std::optional<double> share_beyond(std::span<const double> distances, double threshold) {
  if (distances.empty()) {
    return std::nullopt;
  }
  const double least = std::log1p(threshold);
  const auto beyond = std::count_if(distances.begin(), distances.end(),
                                    [least](double one) { return one >= least; });
  return static_cast<double>(beyond) / static_cast<double>(distances.size());
}

}  // namespace perf

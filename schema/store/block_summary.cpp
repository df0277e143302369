#include "schema/store/block_summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "schema/middle_value.h"

namespace perf::store {

StepSummary summary_of(std::vector<double> seconds) {
  assert(!seconds.empty());
  StepSummary summary;
  summary.median = middle_value(seconds);  // which sorts them
  const std::size_t n = seconds.size();
  summary.timed = static_cast<int>(n);
  summary.min = seconds.front();
  summary.max = seconds.back();

  const double position = 0.9 * static_cast<double>(n - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, n - 1);
  const double part = position - static_cast<double>(below);
  summary.p90 = seconds[below] * (1 - part) + seconds[above] * part;

  // In units of the longest, so that squares neither overflow nor vanish.
  const double unit = summary.max;
  double sum = 0;
  for (const double value : seconds) {
    sum += value / unit;
  }
  const double mean = sum / static_cast<double>(n);
  double squares = 0;
  for (const double value : seconds) {
    squares += (value / unit - mean) * (value / unit - mean);
  }
  summary.mean = std::clamp(mean * unit, summary.min, summary.max);
  summary.stddev = n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) * unit : 0;
  return summary;
}

}  // namespace perf::store

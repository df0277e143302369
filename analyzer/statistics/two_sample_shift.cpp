#include "analyzer/statistics/two_sample_shift.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/statistics/mann_whitney.h"
#include "analyzer/statistics/side_stats.h"

namespace perf {
namespace {

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

double order_statistic(std::vector<double>& values, std::int64_t rank) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

double two_sample_estimate(std::span<const double> base, std::span<const double> head) {
  return median(differences_of(base, head));
}

std::optional<TwoSampleShift> estimate_two_sample_shift(std::span<const double> base,
                                                        std::span<const double> head,
                                                        double alpha) {
  const int m = static_cast<int>(base.size());
  const int n = static_cast<int>(head.size());
  const std::int64_t k = mann_whitney_k(m, n, alpha);
  if (std::min(m, n) < kFewestSessions || k == 0) {
    return std::nullopt;
  }
  std::vector<double> differences = differences_of(base, head);
  const auto count = static_cast<std::int64_t>(differences.size());
  TwoSampleShift result;
  result.noise = session_noise(base, head);
  result.shift.estimate = median(differences);
  const double low = order_statistic(differences, k);
  const double high = order_statistic(differences, count + 1 - k);
  result.shift.low = result.shift.estimate - result.noise.widening * (result.shift.estimate - low);
  result.shift.high =
      result.shift.estimate + result.noise.widening * (high - result.shift.estimate);
  return result;
}

int fewest_sessions(double alpha) {
  int sessions = kFewestSessions;
  while (sessions < kExactSessions && mann_whitney_k(sessions, sessions, alpha) == 0) {
    ++sessions;
  }
  return sessions;
}

}  // namespace perf

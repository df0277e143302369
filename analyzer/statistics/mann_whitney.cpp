#include "analyzer/statistics/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace perf {
namespace {

using Probabilities = std::vector<double>;  // of U = 0, 1, 2, ...

/// The largest of i + j values is an x with probability i/(i+j), and then adds nothing to the pairs
/// with x < y; else it is a y, above all i of the x.
Probabilities next_distribution(const Probabilities& without_x, const Probabilities& without_y,
                                std::size_t i, std::size_t j) {
  Probabilities p(i * j + 1, 0.0);
  const double share = static_cast<double>(i) / static_cast<double>(i + j);
  for (std::size_t u = 0; u < without_x.size(); ++u) {
    p[u] += share * without_x[u];
  }
  for (std::size_t u = 0; u < without_y.size(); ++u) {
    p[u + i] += (1 - share) * without_y[u];
  }
  return p;
}

Probabilities distribution(int m, int n) {
  const auto columns = static_cast<std::size_t>(n);
  std::vector<Probabilities> row(columns + 1, Probabilities{1.0});  // no x at all: U = 0
  for (std::size_t i = 1; i <= static_cast<std::size_t>(m); ++i) {
    for (std::size_t j = 1; j <= columns; ++j) {
      row[j] = next_distribution(row[j], row[j - 1], i, j);
    }
  }
  return row[columns];
}

/// P(U <= u) for u = 0 .. mn. A report compares many series of the same numbers of sessions.
const Probabilities& cached_cdf(int m, int n) {
  thread_local std::map<std::pair<int, int>, Probabilities> cache;
  const auto [found, is_first] = cache.try_emplace({m, n});
  if (is_first) {
    found->second = distribution(m, n);
    for (std::size_t u = 1; u < found->second.size(); ++u) {
      found->second[u] += found->second[u - 1];
    }
  }
  return found->second;
}

double normal_cdf(int m, int n, std::int64_t u) {
  const double pairs = static_cast<double>(m) * n;
  const double deviation = std::sqrt(pairs * (m + n + 1) / 12);
  const double z = (static_cast<double>(u) + 0.5 - pairs / 2) / deviation;
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

}  // namespace

double mann_whitney_cdf(int m, int n, std::int64_t u) {
  const std::int64_t pairs = static_cast<std::int64_t>(m) * n;
  if (u < 0) {
    return 0;
  }
  if (u >= pairs) {
    return 1;
  }
  if (std::max(m, n) > kExactSessions) {
    return normal_cdf(m, n, u);
  }
  return cached_cdf(m, n)[static_cast<std::size_t>(u)];
}

std::int64_t mann_whitney_k(int m, int n, double alpha) {
  if (m < 1 || n < 1) {
    return 0;
  }
  // The first u whose probability is above the level; beyond the middle the interval's ends would
  // cross.
  std::int64_t low = 0;
  std::int64_t high = (static_cast<std::int64_t>(m) * n + 1) / 2;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (mann_whitney_cdf(m, n, middle) <= alpha / 2) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace perf

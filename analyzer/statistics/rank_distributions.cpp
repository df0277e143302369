#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "analyzer/statistics/shift.h"

namespace perf {
namespace {

using Probabilities = std::vector<double>;  // of 0, 1, 2, ..., or up to each

// P(T+ <= t) for t = 0 .. M/2; the upper half follows by symmetry. Probabilities instead of counts,
// halved at each rank, cannot overflow, and 2^-300 is far from underflow.
Probabilities lower_half(int pairs) {
  const auto size = static_cast<std::size_t>(walsh_count(pairs) / 2 + 1);
  Probabilities probability(size, 0.0);
  probability[0] = 1;
  for (std::size_t rank = 1; rank <= static_cast<std::size_t>(pairs); ++rank) {
    for (std::size_t t = size; t-- > rank;) {
      probability[t] = 0.5 * (probability[t] + probability[t - rank]);
    }
    for (std::size_t t = 0; t < rank && t < size; ++t) {
      probability[t] *= 0.5;
    }
  }
  std::partial_sum(probability.begin(), probability.end(), probability.begin());
  return probability;
}

/// With continuity correction, of a whole number with this mean and deviation.
double normal_cdf(std::int64_t value, double mean, double deviation) {
  const double z = (static_cast<double>(value) + 0.5 - mean) / deviation;
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

/// The first value whose probability is above half the level; beyond the middle of 0 .. most the
/// ends of an interval would cross.
template <class Cdf>
std::int64_t first_above(double level, std::int64_t most, const Cdf& cdf) {
  std::int64_t low = 0;
  std::int64_t high = (most + 1) / 2;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (cdf(middle) <= level / 2) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// A report judges thousands of comparisons at the same few numbers of pairs and of sessions.
template <auto made, class... Sizes>
const Probabilities& cached(Sizes... sizes) {
  thread_local std::map<std::tuple<Sizes...>, Probabilities> cache;
  const auto [found, is_first] = cache.try_emplace({sizes...});
  if (is_first) {
    found->second = made(sizes...);
  }
  return found->second;
}

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

/// P(U <= u) for u = 0 .. mn.
Probabilities cumulative(int m, int n) {
  const auto columns = static_cast<std::size_t>(n);
  std::vector<Probabilities> row(columns + 1, Probabilities{1.0});  // no x at all: U = 0
  for (std::size_t i = 1; i <= static_cast<std::size_t>(m); ++i) {
    for (std::size_t j = 1; j <= columns; ++j) {
      row[j] = next_distribution(row[j], row[j - 1], i, j);
    }
  }
  std::partial_sum(row[columns].begin(), row[columns].end(), row[columns].begin());
  return row[columns];
}

}  // namespace

double signed_rank_cdf(int pairs, std::int64_t t) {
  const std::int64_t count = walsh_count(pairs);
  if (t < 0) {
    return 0;
  }
  if (t >= count) {
    return 1;
  }
  if (pairs > kExactPairs) {
    const double n = pairs;
    return normal_cdf(t, n * (n + 1) / 4, std::sqrt(n * (n + 1) * (2 * n + 1) / 24));
  }
  const Probabilities& lower = cached<lower_half>(pairs);
  return t <= count / 2 ? lower[static_cast<std::size_t>(t)]
                        : 1 - lower[static_cast<std::size_t>(count - t - 1)];
}

std::int64_t signed_rank_k(int pairs, double look_alpha) {
  return pairs < 1 ? 0 : first_above(look_alpha, walsh_count(pairs), [&](std::int64_t t) {
    return signed_rank_cdf(pairs, t);
  });
}

double mann_whitney_cdf(int m, int n, std::int64_t u) {
  const std::int64_t pairs = static_cast<std::int64_t>(m) * n;
  if (u < 0) {
    return 0;
  }
  if (u >= pairs) {
    return 1;
  }
  if (std::max(m, n) > kExactSessions) {
    const double product = static_cast<double>(m) * n;
    return normal_cdf(u, product / 2, std::sqrt(product * (m + n + 1) / 12));
  }
  return cached<cumulative>(m, n)[static_cast<std::size_t>(u)];
}

std::int64_t mann_whitney_k(int m, int n, double alpha) {
  const std::int64_t pairs = static_cast<std::int64_t>(m) * n;
  return m < 1 || n < 1
             ? 0
             : first_above(alpha, pairs, [&](std::int64_t u) { return mann_whitney_cdf(m, n, u); });
}

}  // namespace perf

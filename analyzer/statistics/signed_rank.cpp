#include "analyzer/statistics/signed_rank.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace perf {
namespace {

// P(T+ <= t) for t = 0 .. M/2; the upper half follows by symmetry. Probabilities instead of counts,
// halved at each rank, cannot overflow, and 2^-300 is far from underflow.
std::vector<double> lower_half(int pairs) {
  const auto size = static_cast<std::size_t>(walsh_count(pairs) / 2 + 1);
  std::vector<double> probability(size, 0.0);
  probability[0] = 1;
  for (std::size_t rank = 1; rank <= static_cast<std::size_t>(pairs); ++rank) {
    for (std::size_t t = size; t-- > rank;) {
      probability[t] = 0.5 * (probability[t] + probability[t - rank]);
    }
    for (std::size_t t = 0; t < rank && t < size; ++t) {
      probability[t] *= 0.5;
    }
  }
  for (std::size_t t = 1; t < size; ++t) {
    probability[t] += probability[t - 1];
  }
  return probability;
}

// A report judges thousands of comparisons at the same few numbers of pairs.
const std::vector<double>& cached_lower_half(int pairs) {
  thread_local std::map<int, std::vector<double>> cache;
  auto found = cache.find(pairs);
  if (found == cache.end()) {
    found = cache.emplace(pairs, lower_half(pairs)).first;
  }
  return found->second;
}

double normal_cdf(int pairs, std::int64_t t) {
  const double n = pairs;
  const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  const double z = (static_cast<double>(t) + 0.5 - n * (n + 1) / 4) / deviation;
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
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
    return normal_cdf(pairs, t);
  }
  const std::vector<double>& lower = cached_lower_half(pairs);
  if (t <= count / 2) {
    return lower[static_cast<std::size_t>(t)];
  }
  return 1 - lower[static_cast<std::size_t>(count - t - 1)];
}

std::int64_t signed_rank_k(int pairs, double look_alpha) {
  if (pairs < 1) {
    return 0;
  }
  // The first t whose probability is above the level; beyond the middle the interval's ends would
  // cross.
  std::int64_t low = 0;
  std::int64_t high = (walsh_count(pairs) + 1) / 2;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (signed_rank_cdf(pairs, middle) <= look_alpha / 2) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace perf

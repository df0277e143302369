#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "collector/plan/plan.h"
#include "schema/text/fnv.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// The number that a name draws for a shard: FNV-1a, mixed as in SplitMix64, because neighbouring
/// shards differ in few bits.
std::uint64_t drawn(const std::string& name, int shard) {
  std::uint64_t z = fnv1a_64(name) + static_cast<std::uint64_t>(shard) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31U);
}

/// The shard with the least; of several, the one for which the name draws most.
int best_shard(const std::string& name, const std::vector<double>& loads) {
  int best = 1;
  for (int shard = 2; shard <= static_cast<int>(loads.size()); ++shard) {
    const auto rank = [&](int one) {
      return std::pair(-loads[static_cast<std::size_t>(one - 1)], drawn(name, one));
    };
    best = rank(shard) > rank(best) ? shard : best;
  }
  return best;
}

/// The weights; nothing where no workload has seconds.
std::vector<double> weights_of(const std::vector<ShardedWorkload>& workloads) {
  double sum = 0;
  int known = 0;
  for (const ShardedWorkload& one : workloads) {
    sum += one.seconds;
    known += one.seconds > 0 ? 1 : 0;
  }
  return mapped(workloads, [&](const ShardedWorkload& one) {
    return one.seconds > 0 || known == 0 ? one.seconds : sum / known;
  });
}

}  // namespace

std::vector<int> shards_of(const std::vector<ShardedWorkload>& workloads, int count) {
  const std::vector<double> weights = weights_of(workloads);
  std::vector<std::size_t> order(workloads.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, std::greater(), [&](std::size_t i) {
    return std::tuple(weights[i], drawn(workloads[i].name, 0), workloads[i].name);
  });
  std::vector<double> loads(static_cast<std::size_t>(count));
  std::vector<int> shards(workloads.size());
  for (const std::size_t i : order) {
    shards[i] = best_shard(workloads[i].name, loads);
    loads[static_cast<std::size_t>(shards[i] - 1)] += weights[i];
  }
  return shards;
}

}  // namespace perf

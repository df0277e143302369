#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "collector/plan/plan.h"

namespace perf {
namespace {

using Workloads = std::vector<ShardedWorkload>;

/// Between 0 and 64 workloads, with seconds of a wide spread, some without.
Workloads random_workloads(std::mt19937& generator, bool with_seconds) {
  Workloads workloads(std::uniform_int_distribution<std::size_t>(0, 64)(generator));
  std::lognormal_distribution<double> seconds(3, 1);
  std::bernoulli_distribution says(0.9);
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    workloads[i].name = "family" + std::to_string(generator() % 5) + "/" + std::to_string(i);
    workloads[i].seconds = with_seconds && says(generator) ? seconds(generator) : 0;
  }
  return workloads;
}

/// s of each shard.
std::vector<double> loads_of(const Workloads& workloads, const std::vector<int>& shards,
                             int count) {
  std::vector<double> loads(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    loads[static_cast<std::size_t>(shards[i] - 1)] += workloads[i].seconds;
  }
  return loads;
}

/// Each workload has one shard, so that shards are disjoint and together everything.
TEST(Shards, IncludeEveryWorkloadOnce) {
  std::mt19937 generator(1);
  for (int count = 1; count <= 16; ++count) {
    for (int plan = 0; plan < 200; ++plan) {
      const Workloads workloads = random_workloads(generator, plan % 2 == 0);
      const std::vector<int> shards = shards_of(workloads, count);
      ASSERT_EQ(shards.size(), workloads.size());
      for (const int shard : shards) {
        ASSERT_GE(shard, 1);
        ASSERT_LE(shard, count);
      }
    }
  }
}

TEST(Shards, DoNotDependOnTheOrder) {
  std::mt19937 generator(2);
  for (int plan = 0; plan < 400; ++plan) {
    const Workloads workloads = random_workloads(generator, plan % 2 == 0);
    const int count = 1 + plan % 16;
    const std::vector<int> shards = shards_of(workloads, count);
    std::vector<std::size_t> order(workloads.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), generator);
    Workloads shuffled;
    for (const std::size_t i : order) {
      shuffled.push_back(workloads[i]);
    }
    const std::vector<int> again = shards_of(shuffled, count);
    for (std::size_t i = 0; i < order.size(); ++i) {
      ASSERT_EQ(again[i], shards[order[i]]);
    }
  }
}

/// The largest is at most 1.3 times the mean, or has the longest workload alone. Of fewer than
/// three a shard that cannot always be had (four equal ones in three shards): then 4/3 of the best
/// there could be.
TEST(Shards, AreBalancedBySeconds) {
  std::mt19937 generator(3);
  int many = 0;
  for (int count = 1; count <= 16; ++count) {
    for (int plan = 0; plan < 400; ++plan) {
      Workloads workloads = random_workloads(generator, true);
      std::erase_if(workloads, [](const ShardedWorkload& one) { return one.seconds == 0; });
      if (workloads.empty()) {
        continue;
      }
      const std::vector<double> loads = loads_of(workloads, shards_of(workloads, count), count);
      const double largest = std::ranges::max(loads);
      const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / count;
      std::vector<double> seconds;
      for (const ShardedWorkload& one : workloads) {
        seconds.push_back(one.seconds);
      }
      std::ranges::sort(seconds, std::greater());
      if (seconds.size() >= 3 * static_cast<std::size_t>(count)) {
        ++many;
        ASSERT_LE(largest, std::max(1.3 * mean, seconds[0]) * (1 + 1e-12)) << count;
      }
      const auto n = static_cast<std::size_t>(count);
      const double two = seconds.size() > n ? seconds[n - 1] + seconds[n] : 0;
      // Of the best, what is known without a search.
      ASSERT_LE(largest, 4.0 / 3 * std::max({mean, seconds[0], two}) * (1 + 1e-12)) << count;
    }
  }
  EXPECT_GT(many, 2000);
}

/// Of equal seconds each shard gets as many, or one more.
TEST(Shards, DistributeEqualSeconds) {
  Workloads workloads;
  for (int i = 0; i < 23; ++i) {
    workloads.push_back({"w" + std::to_string(i), 2.5});
  }
  for (int count = 1; count <= 16; ++count) {
    const std::vector<double> loads = loads_of(workloads, shards_of(workloads, count), count);
    const auto [least, most] = std::ranges::minmax(loads);
    EXPECT_LE(most - least, 2.5 + 1e-9) << count;
  }
}

/// Without seconds a workload more moves none, and a shard more takes only what goes to it.
TEST(Shards, MoveLittleWithoutSeconds) {
  Workloads workloads;
  for (int i = 0; i < 1000; ++i) {
    workloads.push_back({"w" + std::to_string(i)});
  }
  const std::vector<int> shards = shards_of(workloads, 8);
  Workloads more = workloads;
  more.push_back({"another"});
  const std::vector<int> with_it = shards_of(more, 8);
  EXPECT_TRUE(std::equal(shards.begin(), shards.end(), with_it.begin()));
  const std::vector<int> nine = shards_of(workloads, 9);
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    EXPECT_TRUE(nine[i] == shards[i] || nine[i] == 9);
  }
  for (int shard = 1; shard <= 8; ++shard) {
    EXPECT_NEAR(static_cast<double>(std::ranges::count(shards, shard)), 125, 45) << shard;
  }
}

/// Other jobs may be of another build of this program: a changed assignment is another plan, and
/// has to be told by another version.
TEST(Shards, AreStableAcrossBuilds) {
  const Workloads workloads{{"training/mlp_stack"},
                            {"inference/generate"},
                            {"quantization/int8"},
                            {"micro/matmul"},
                            {"parser"},
                            {"lexer"}};
  EXPECT_EQ(shards_of(workloads, 3), (std::vector<int>{3, 1, 2, 3, 3, 3}));
}

}  // namespace
}  // namespace perf

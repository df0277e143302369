#include "tests/analyzer/rule/shard_replay.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/rule/look_schedule.h"
#include "collector/plan/plan.h"

namespace perf::replay {
namespace {

struct SimulatedWorkload {
  ShardedWorkload sharded{};
  bool same = false;
  std::vector<std::vector<double>> metrics{};  ///< differences by pair
};

struct Found {
  bool regressed = false, improved = false, unchanged = false;
  double pairs = 0, rate = 0;
};

/// Judges some workloads as one report does, at their share of alpha.
void judge(const std::vector<const SimulatedWorkload*>& workloads, double share,
           const Sharding& sharding, Found& found) {
  Policy policy;
  policy.alpha = sharding.alpha;
  policy.alpha_share = share;
  int judged = 0;
  for (const SimulatedWorkload* one : workloads) {
    judged += one->same ? 0 : static_cast<int>(one->metrics.size());
  }
  if (judged == 0) {
    return;
  }
  Rule rule;
  rule.bounds = bounds_for(sharding.threshold, policy);
  rule.look_alpha = look_alpha(policy, judged);
  rule.most_looks = policy.looks;
  rule.looks = look_schedule(policy, judged);
  found.rate += rule.look_alpha * policy.looks * judged;
  for (const SimulatedWorkload* one : workloads) {
    int pairs = 0;  // a workload is measured until its last metric is decided
    for (const std::vector<double>& differences : one->metrics) {
      if (one->same) {
        break;
      }
      const Decision decision = decide(differences, rule, true);
      found.regressed |= decision.verdict == Verdict::regressed;
      found.improved |= decision.verdict == Verdict::improved;
      found.unchanged |= decision.verdict == Verdict::unchanged;
      pairs = std::max(pairs, decision.decided() ? decision.pairs : rule.looks.back());
    }
    found.pairs += pairs;
  }
}

std::vector<SimulatedWorkload> draw(const Sharding& sharding, NoiseSource& noise,
                                    std::mt19937_64& engine) {
  constexpr std::size_t kMostPairs = 160;  // more than the last look of any shard
  const double truth = std::log1p(sharding.threshold * sharding.change);
  std::uniform_int_distribution<int> metrics(sharding.fewest_metrics, sharding.most_metrics);
  std::lognormal_distribution<double> seconds(2, 1);
  std::bernoulli_distribution same(sharding.same);
  std::vector<SimulatedWorkload> workloads(static_cast<std::size_t>(sharding.workloads));
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    SimulatedWorkload& one = workloads[i];
    one.sharded.name = "w" + std::to_string(engine() % 1000000);
    one.sharded.seconds = sharding.by_seconds ? seconds(engine) : 0;
    one.same = same(engine);
    one.metrics.resize(static_cast<std::size_t>(metrics(engine)));
    for (std::vector<double>& differences : one.metrics) {
      differences.resize(kMostPairs);
      std::ranges::generate(differences, [&] { return truth + noise(); });
    }
  }
  return workloads;
}

}  // namespace

ShardedOutcome run(const Sharding& sharding) {
  NoiseSource noise(sharding.noise, sharding.deviation, sharding.seed);
  std::mt19937_64 engine(sharding.seed);
  ShardedOutcome outcome;
  for (int report = 0; report < sharding.reports; ++report) {
    const std::vector<SimulatedWorkload> workloads = draw(sharding, noise, engine);
    std::vector<ShardedWorkload> planned;
    std::vector<const SimulatedWorkload*> all;
    for (const SimulatedWorkload& one : workloads) {
      planned.push_back(one.sharded);
      all.push_back(&one);
    }
    Found whole, joined;
    judge(all, 1, sharding, whole);
    const std::vector<int> shards = shards_of(planned, sharding.shards);
    for (int shard = 1; shard <= sharding.shards; ++shard) {
      std::vector<const SimulatedWorkload*> part;
      for (std::size_t i = 0; i < workloads.size(); ++i) {
        if (shards[i] == shard) {
          part.push_back(&workloads[i]);
        }
      }
      outcome.empty += part.empty() ? 1 : 0;
      judge(part, static_cast<double>(part.size()) / static_cast<double>(workloads.size()),
            sharding, joined);
    }
    outcome.whole_wrong += whole.regressed || whole.improved ? 1 : 0;
    outcome.joined_wrong += joined.regressed || joined.improved ? 1 : 0;
    outcome.joined_regressed += joined.regressed ? 1 : 0;
    outcome.joined_unchanged += joined.unchanged ? 1 : 0;
    outcome.whole_pairs += whole.pairs / sharding.reports;
    outcome.joined_pairs += joined.pairs / sharding.reports;
    outcome.largest_rate = std::max(outcome.largest_rate, joined.rate);
  }
  return outcome;
}

}  // namespace perf::replay

// The sequential sampling as a whole: `next` and `collect` taking turns over scripted workloads of
// uneven costs, by a scripted clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "collector/collect.h"

namespace perf {
namespace {

struct Kind {
  double seconds = 1;    ///< an invocation
  double deviation = 0;  ///< of a side's level, ln
  double change = 0;     ///< ln
};

/// Workloads w0, w1, ... whose processes take as long as they are told.
class World : public Runner {
 public:
  World(std::vector<Kind> kinds, std::uint64_t seed) : kinds_(std::move(kinds)), engine_(seed) {
    plan.run_id = "run";
    plan.seed = seed;
    plan.base = Revision{};
    plan.base->oid = "base";
    plan.head.oid = "head";
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      PlannedWorkload planned;
      planned.workload.name = "w" + std::to_string(i);
      plan.workloads.push_back(planned);
    }
    hooks.clock = [this] { return now_; };
    policy.metrics = {"step_time"};
  }

  Invocation run(const Workload& workload, const std::filesystem::path&,
                 Invocation invocation) override {
    const Kind& kind = kinds_[static_cast<std::size_t>(std::stoi(workload.name.substr(1)))];
    const double noise = std::exp(kind.deviation * normal_(engine_));
    const double level = 0.01 * noise * (invocation.side == Side::head ? std::exp(kind.change) : 1);
    Block block;
    for (int i = 0; i < invocation.steps_wanted; ++i) {
      block.steps.push_back({i, false, level, std::nullopt});
    }
    invocation.blocks.push_back(std::move(block));
    invocation.process.wall = kind.seconds * noise;
    now_ += invocation.process.wall;
    longest_pair = std::max(longest_pair, 2 * invocation.process.wall);
    return invocation;
  }

  /// The run as ci/cli does it. `spend`: what the collector may spend, where `next` is to think
  /// that it may spend more.
  Report compare(double spend) {
    while (std::optional<Demand> demand = next(plan, history, policy)) {
      demand->budget_left = spend - history.measured;
      collect(*demand, plan, {}, *this, hooks, history);
    }
    return analyze(plan, history, policy, {});
  }
  Report compare() { return compare(policy.budget); }

  Plan plan;
  Policy policy;
  Measurements history;
  CollectHooks hooks;
  double longest_pair = 0;

 private:
  std::vector<Kind> kinds_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  double now_ = 0;
};

/// Costs from 0.1 s to 3 s an invocation, every third workload noisy, every fifth changed.
std::vector<Kind> uneven(int count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<Kind> kinds;
  for (int i = 0; i < count; ++i) {
    kinds.push_back(
        {0.1 * std::pow(30, uniform(engine)), i % 3 == 0 ? 0.06 : 0.008, i % 5 == 0 ? 0.2 : 0.0});
  }
  return kinds;
}

int decided(const Report& report) {
  return report.judged - report.summary.counts.at(Verdict::inconclusive);
}

TEST(Sampling, KeepsTheBudgetWithinOnePair) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    World world(uneven(24, seed), seed);
    world.policy.budget = 5 + 20 * static_cast<double>(seed);
    const Report report = world.compare();
    EXPECT_LT(world.history.measured, world.policy.budget + world.longest_pair) << seed;
    if (decided(report) < report.judged) {
      // What is left would not have paid for another pair of the cheapest that is undecided.
      EXPECT_TRUE(report.budget_spent) << seed;
    }
  }
}

TEST(Sampling, SpendsNothingOnDecidedWorkloads) {
  std::vector<Kind> kinds(6, {0.2, 0.005, 0});
  kinds[2].deviation = 0.15;  // cannot be decided soon
  World world(kinds, 5);
  world.policy.budget = 1e6;
  const Report report = world.compare();
  std::map<std::string, int> invocations;
  for (const Invocation& one : world.history.invocations) {
    ++invocations[one.workload];
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i != 2) {
      EXPECT_EQ(invocations["w" + std::to_string(i)], 2 * 13) << "n_1 of six comparisons, w" << i;
    }
  }
  EXPECT_GT(invocations["w2"], 2 * 28);
}

TEST(Sampling, RepeatsARunWithTheSameSeed) {
  const auto draws = [](std::uint64_t seed) {
    World world(uneven(8, 3), 3);  // the same noise
    world.plan.seed = seed;
    world.policy.budget = 100;
    world.compare();
    std::string text;
    for (const Invocation& one : world.history.invocations) {
      text += one.workload + (one.side == Side::base ? "b" : "h") + std::to_string(one.pair) + "," +
              std::to_string(one.padding) + "," + std::to_string(one.seed) + "," +
              std::to_string(one.steps_wanted) + " ";
    }
    return text;
  };
  EXPECT_EQ(draws(7), draws(7));
  EXPECT_NE(draws(7), draws(8));
}

// Where the budget brings nobody to a verdict if everybody gets a pair in turn, those that are
// nearest to one are served: against the same collector with a `next` that believes in a budget
// without end.
TEST(Sampling, ServesTheNearestWithAShortBudget) {
  int nearest = 0, in_turn = 0, wrong = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Kind> kinds = uneven(24, seed);
    double round = 0;  // s of one pair of everything
    for (Kind& kind : kinds) {
      kind.seconds *= 0.25;  // no pair is dear: early looks would decide some in turn
      round += 2 * kind.seconds;
    }
    World serving(kinds, seed), turning(kinds, seed);
    serving.policy.budget = 8 * round;
    turning.policy.budget = 1e9;
    const Report served = serving.compare();
    nearest += decided(served);
    in_turn += decided(turning.compare(8 * round));
    for (const Comparison& row : served.comparisons) {
      const bool changed =
          kinds[static_cast<std::size_t>(std::stoi(row.workload.substr(1)))].change > 0;
      wrong += row.verdict == (changed ? Verdict::unchanged : Verdict::regressed) ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(in_turn, 0) << "the case that it is about";
  EXPECT_GE(nearest, 20 * 24 / 2);
}

// After the first look, pairs go to what they can still decide.
TEST(Sampling, ServesTheHopelessLastWithAShortBudget) {
  constexpr double kRounds = 25;
  std::vector<Kind> kinds(8, {1, 0.06, 0});  // decided after a look or two more
  for (std::size_t i = 0; i < 8; i += 2) {
    kinds[i] = {1, 0.4, 0};  // not by any look
  }
  int nearest = 0, in_turn = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    World serving(kinds, seed), turning(kinds, seed);
    serving.policy.budget = 2 * 8 * kRounds;
    turning.policy.budget = 1e9;
    nearest += decided(serving.compare());
    in_turn += decided(turning.compare(2 * 8 * kRounds));
  }
  EXPECT_GE(nearest, in_turn + 10) << "of 160 that can be decided";
}

// Who is served follows from what was seen: that must not cost error rate. Reports in which every
// true change is at the edge of what is promised, of a budget too short for all.
TEST(Sampling, KeepsTheErrorRateWhenServingTheNearest) {
  constexpr int kReports = 500;
  int unchanged = 0, regressed = 0;
  for (int seed = 1; seed <= kReports; ++seed) {
    for (const double change : {std::log(1.05), std::log(1.10)}) {
      const std::vector<Kind> kinds(8, {1, 0.05, change});
      World world(kinds, static_cast<std::uint64_t>(seed));
      world.policy.budget = 2 * 8 * 20;
      const auto counts = world.compare().summary.counts;
      regressed += change < 0.06 && counts.at(Verdict::regressed) > 0 ? 1 : 0;
      unchanged += change > 0.06 && counts.at(Verdict::unchanged) > 0 ? 1 : 0;
    }
  }
  EXPECT_LE(unchanged, kReports / 100);
  EXPECT_LE(regressed, kReports / 100);
}

}  // namespace
}  // namespace perf

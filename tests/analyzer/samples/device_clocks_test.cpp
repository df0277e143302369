#include "analyzer/samples/device_clocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analyzer/analyze.h"
#include "analyzer/bisect/bisect.h"
#include "analyzer/ratchet/ratchet.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"
#include "tests/contains.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::plan_of;

const Metric kOnDevice{"device_time", "s", Better::lower};

struct Sides {
  double base = 1, head = 1;
};

/// Pairs of a program that takes `work` cycles and memory on a GPU at `clock`, relative; without a
/// clock in pairs before `clock_from`.
Measurements on_device(const Sides& work, const Sides& clock, double noise, unsigned seed,
                       int clock_from = 0) {
  constexpr int kPairs = 24;
  constexpr double kClock = 1980e6, kMemory = 5e8, kJoules = 40;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  Measurements measurements;
  for (int pair = 0; pair < kPairs; ++pair) {
    std::vector<double> times, clocks;
    for (const auto& [cycles, speed] :
         {std::pair(work.base, clock.base), std::pair(work.head, clock.head)}) {
      const double real = speed * std::exp(0.1 * normal(random));
      clocks.push_back(kClock * real);
      times.push_back(0.01 * cycles / real * std::exp(normal(random)));
    }
    add_pair(measurements, "w", pair, times[0], times[1]);
    for (const int side : {0, 1}) {
      Invocation& one =
          measurements
              .invocations[measurements.invocations.size() - 2 + static_cast<std::size_t>(side)];
      const auto of_side = static_cast<std::size_t>(side);
      auto& metrics = one.blocks.front().metrics;
      metrics.push_back({kOnDevice, times[of_side] * 0.9, true});
      metrics.push_back({kDeviceMemory, kMemory, true});
      metrics.push_back({kDeviceEnergy, kJoules * std::exp(normal(random)), true});
      if (pair >= clock_from) {
        metrics.push_back({kDeviceClock, clocks[of_side], false});
      }
    }
  }
  return measurements;
}

std::vector<Comparison> rows_of(const Measurements& measurements) {
  Policy policy;
  policy.max_pairs = 24;
  return analyze(plan_of({"w"}), measurements, policy, {}).comparisons;
}

const Comparison& row_of(const std::vector<Comparison>& rows, const std::string& metric) {
  return *std::ranges::find(rows, metric, [](const Comparison& row) { return row.metric.name; });
}

Verdict verdict_of(const std::vector<Comparison>& rows, const std::string& metric) {
  return row_of(rows, metric).verdict.value_or(Verdict::missing);
}

TEST(DeviceClocks, ALowerClockIsNoRegression) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const auto rows = rows_of(on_device({1, 1}, {1, 0.87}, 0.01, seed));
    for (const char* metric : {"step_time", "device_time"}) {
      EXPECT_EQ(verdict_of(rows, metric), Verdict::inconclusive) << metric << " " << seed;
    }
  }
}

TEST(DeviceClocks, TheRowNamesBothClocks) {
  const auto rows = rows_of(on_device({1, 1}, {1, 0.85}, 0, 1));
  const Comparison& row = row_of(rows, "device_time");
  ASSERT_FALSE(row.warnings.empty());
  const std::string text = reporter::sentence(row.warnings.front());
  EXPECT_EQ(text.substr(0, text.find(';')), "clocks differ: 1,980 and 1,683 MHz");
  EXPECT_FALSE(row.certain);
  EXPECT_FALSE(row.pairs_needed);
  EXPECT_EQ(verdict_of(rows, "device_memory"), Verdict::unchanged);
}

TEST(DeviceClocks, AVerdictThatHoldsInCyclesStands) {
  const auto rows = rows_of(on_device({1, 1.3}, {1, 0.97}, 0.005, 2));
  EXPECT_EQ(verdict_of(rows, "device_time"), Verdict::regressed);
  EXPECT_EQ(verdict_of(rows_of(on_device({1, 0.7}, {1, 0.97}, 0.005, 2)), "device_time"),
            Verdict::improved);
  EXPECT_EQ(verdict_of(rows_of(on_device({1, 1}, {1, 0.98}, 0.005, 2)), "device_time"),
            Verdict::unchanged);
}

TEST(DeviceClocks, AHigherClockHidesNothing) {
  EXPECT_EQ(verdict_of(rows_of(on_device({1, 1.2}, {1, 1.2}, 0.005, 3)), "device_time"),
            Verdict::inconclusive);
  EXPECT_EQ(verdict_of(rows_of(on_device({1, 1}, {1, 1.2}, 0.005, 3)), "device_time"),
            Verdict::inconclusive);
}

TEST(DeviceClocks, EqualClocksChangeNoVerdict) {
  EXPECT_EQ(verdict_of(rows_of(on_device({1, 1.2}, {1, 1}, 0.005, 4)), "device_time"),
            Verdict::regressed);
  EXPECT_EQ(verdict_of(rows_of(on_device({1, 1.2}, {1, 0.995}, 0.005, 4)), "step_time"),
            Verdict::regressed);
}

TEST(DeviceClocks, WithoutAClockInEveryPairThereAreNoCycles) {
  EXPECT_EQ(verdict_of(rows_of(on_device({1, 1.3}, {1, 0.97}, 0.005, 5, 3)), "device_time"),
            Verdict::inconclusive);
  EXPECT_EQ(verdict_of(rows_of(on_device({1, 1.3}, {1, 0.97}, 0.005, 5, 24)), "device_time"),
            Verdict::regressed);  // none at all
}

TEST(DeviceClocks, EqualSidesGiveNoFalseVerdict) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    for (const Comparison& row : rows_of(on_device({1, 1}, {1, 1}, 0.02, seed))) {
      EXPECT_FALSE(is_change(row.verdict.value_or(Verdict::unchanged)))
          << row.metric.name << " " << seed;
    }
  }
}

AttemptState attempt_on(const Sides& work, const Sides& clock) {
  const Plan plan = plan_of({"w"});
  const Measurements measurements = on_device(work, clock, 0.002, 6);
  const Policy policy;
  const AttemptRule rule{{"step_time", 0.02, {}, {}}, 0.01, {}, 24};
  return attempt_state(standing_of(plan, measurements, policy), rule);
}

TEST(DeviceClocks, AHigherClockIsNoGainOfARatchet) {
  const AttemptState faster = attempt_on({1, 1}, {1, 1.1});
  EXPECT_EQ(faster.end.outcome, AttemptOutcome::refused);
  EXPECT_TRUE(contains(faster.end.reason, "higher clock"));
  EXPECT_NEAR(faster.end.estimate, 0, 0.003);
  EXPECT_NEAR(attempt_on({1, 0.9}, {1, 1.1}).end.estimate, -std::log(0.9), 0.003);
  EXPECT_NEAR(attempt_on({1, 0.9}, {1, 1}).end.estimate, -std::log(0.9), 0.003);
  // A lower one takes away what it takes.
  EXPECT_NEAR(attempt_on({1, 1}, {1, 0.9}).end.estimate, std::log(0.9), 0.003);
}

TEST(DeviceClocks, ABisectionComparesCycles) {
  Policy policy;
  policy.metrics = {"device_time"};
  const Plan plan = plan_of({"w"});
  const auto level_of_run = [&](const Sides& work, const Sides& clock) {
    return median(bisect_samples(plan, on_device(work, clock, 0.002, 7), policy, "").differences);
  };
  EXPECT_NEAR(level_of_run({1, 1}, {1, 0.85}), 0, 0.003);
  EXPECT_NEAR(level_of_run({1, 1.2}, {1, 1.2}), std::log(1.2), 0.003);
  EXPECT_NEAR(level_of_run({1, 1.2}, {1, 1}), std::log(1.2), 0.003);
}

/// Pairs 0 and 1, and attempts at pair 2 in which others used the GPU.
Measurements beside_others(int attempts) {
  Measurements measurements;
  scripted::add_pairs(measurements, "w", 2, 1);
  for (int attempt = 1; attempt <= attempts; ++attempt) {
    for (const Side side : {Side::base, Side::head}) {
      measurements.invocations.push_back(scripted::failed_invocation(
          "w", side, 2, attempt, std::string(kDeviceInUse) + ": 1 python3"));
    }
  }
  return measurements;
}

TEST(SharedDevice, ThreeLostAttemptsLeaveTheWorkloadInconclusive) {
  const Plan plan = plan_of({"w"});
  for (const int attempts : {1, 2}) {
    const Measurements measurements = beside_others(attempts);
    const WorkloadSamples samples = samples_of(plan.workloads[0], plan, measurements, false);
    EXPECT_FALSE(samples.given_up) << attempts;
    EXPECT_EQ(samples.fate, Fate::paired) << attempts;
  }
  for (const bool any_pair : {true, false}) {
    Measurements measurements = beside_others(kSharedAttempts);
    if (!any_pair) {
      measurements.invocations.erase(measurements.invocations.begin(),
                                     measurements.invocations.begin() + 4);
    }
    const auto rows = analyze(plan, measurements, Policy(), {}).comparisons;
    EXPECT_EQ(verdict_of(rows, "step_time"), Verdict::inconclusive);
    const auto& warnings = row_of(rows, "step_time").warnings;
    EXPECT_EQ(std::ranges::count(warnings, WarningKind::device_in_use, &Warning::kind), 1);
    EXPECT_EQ(std::ranges::count(warnings, WarningKind::runs_failed, &Warning::kind), 0);
  }
}

TEST(SharedDevice, AFailureOfItsOwnStillCounts) {
  const Plan plan = plan_of({"w"});
  Measurements measurements = beside_others(1);
  for (const int attempt : {2, 3}) {
    measurements.invocations.push_back(scripted::failed_invocation("w", Side::head, 2, attempt));
  }
  EXPECT_EQ(samples_of(plan.workloads[0], plan, measurements, false).fate, Fate::failed);
}

TEST(SharedDevice, AnotherAttemptReplacesTheLostOne) {
  Plan plan = plan_of({"w"});
  Measurements measurements = beside_others(2);
  scripted::add_pair(measurements, "w", 2, 1, 1);
  for (auto one = measurements.invocations.end() - 2; one != measurements.invocations.end();
       ++one) {
    one->attempt = kSharedAttempts;
  }
  const WorkloadSamples samples = samples_of(plan.workloads[0], plan, measurements, false);
  EXPECT_EQ(samples.pairs.size(), 3u);
  EXPECT_EQ(samples.runs.head_failed, 0);
}

TEST(WatchedDevice, WarnsOfWhatItCouldNotSee) {
  Measurements measurements;
  scripted::add_pairs(measurements, "w", 12, 1);
  auto& facts = measurements.invocations[0].blocks[0].facts;
  facts[kDeviceProblem] = "the NVIDIA driver does not answer";
  facts[kDeviceShared] = "1";
  facts[kThrottleReasons] = "power cap, thermal slowdown";
  measurements.invocations[1].blocks[0].metrics.push_back({kDeviceThrottled, 50, false});
  const auto rows = analyze(plan_of({"w"}), measurements, Policy(), {}).comparisons;
  const Comparison& row = row_of(rows, "step_time");
  std::string texts;
  for (const auto* some : {&row.warnings, &row.notes}) {
    for (const Warning& one : *some) {
      texts += reporter::sentence(one) + "\n";
    }
  }
  EXPECT_TRUE(contains_all(
      texts,
      {"the GPU was not watched in 1 run: the NVIDIA driver does not answer",
       "memory of another process may be on the GPU",
       "the GPU lowered its clock (power cap, thermal slowdown): in 0 % of the samples at base, "
       "50 % at head"}));
  EXPECT_EQ(row.verdict, Verdict::unchanged);
}

}  // namespace
}  // namespace perf

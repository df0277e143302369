#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "analyzer/samples/samples.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::failed_invocation;
using scripted::invocation_of;
using scripted::plan_of;

Invocation second_attempt(Side side, int pair, double seconds) {
  Invocation invocation = invocation_of("w", side, pair, {seconds});
  invocation.attempt = 2;
  return invocation;
}

WorkloadSamples samples(const Plan& plan, const Measurements& measurements, bool ended = false) {
  return samples_of(plan.workloads.front(), plan, measurements, ended);
}

TEST(WorkloadSamples, TakesPairsWithTwoGoodSides) {
  const Plan plan = plan_of({"w", "v"});
  Measurements measurements;
  add_pair(measurements, "w", 0, 1, 2);
  add_pair(measurements, "v", 0, 3, 4);
  add_pair(measurements, "w", 1, 5, 6);
  const WorkloadSamples taken = samples(plan, measurements);
  ASSERT_EQ(taken.pairs.size(), 2u);
  EXPECT_EQ(taken.pairs[1].base, &measurements.invocations[4]);
  EXPECT_EQ(taken.pairs[1].head, &measurements.invocations[5]);
  EXPECT_EQ(taken.fate, Fate::paired);
}

TEST(WorkloadSamples, RetryReplacesTheDroppedAttempt) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  measurements.invocations = {invocation_of("w", Side::base, 0, {1}),
                              failed_invocation("w", Side::head, 0),
                              second_attempt(Side::head, 0, 4), second_attempt(Side::base, 0, 3)};
  const WorkloadSamples taken = samples(plan, measurements);
  ASSERT_EQ(taken.pairs.size(), 1u);
  EXPECT_EQ(taken.pairs[0].base,
            &measurements.invocations[3]);  // not the base of the dropped attempt
  ASSERT_EQ(taken.retries.size(), 1u);
  EXPECT_EQ(taken.retries[0].text(), "head failed: exit code 1");
  EXPECT_EQ(taken.fate, Fate::paired);
}

/// A pair takes so many seconds.
void add_pair_of(double seconds, int pair, Measurements& measurements) {
  add_pair(measurements, "w", pair, 1, 1);
  for (Invocation& one : std::span(measurements.invocations).last(2)) {
    one.took = seconds / 2;
    one.process.wall = seconds / 2;
  }
}

TEST(WorkloadSamples, SetsTheFirstPairOfADearWorkloadApartIfItFilledCaches) {
  for (const bool fills : {false, true}) {
    for (const double seconds : {1.9, 2.1}) {
      Plan plan = plan_of({"w"});
      plan.workloads.front().new_files = {fills ? 3 : 0, ".cache/kernel"};
      Measurements measurements;
      add_pair_of(seconds, 0, measurements);
      add_pair_of(1, 1, measurements);
      const WorkloadSamples taken = samples(plan, measurements);
      const bool is_apart = fills && seconds > 2;
      EXPECT_EQ(taken.warmup.has_value(), is_apart) << fills << " " << seconds;
      ASSERT_EQ(taken.pairs.size(), is_apart ? 1U : 2U);
      EXPECT_EQ(taken.pairs.front().pair, is_apart ? 1 : 0);
    }
  }
}

TEST(WorkloadSamples, HeadFailingTwiceIsAFailure) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  add_pair(measurements, "w", 0, 1, 1);
  measurements.invocations.push_back(failed_invocation("w", Side::head, 1, 1));
  EXPECT_EQ(samples(plan, measurements).fate, Fate::paired);
  measurements.invocations.push_back(failed_invocation("w", Side::head, 1, 2, "timed out"));
  EXPECT_EQ(samples(plan, measurements).fate, Fate::failed);
  EXPECT_EQ(samples(plan, measurements).reason.text(), "head failed: timed out");
}

TEST(WorkloadSamples, BaseFailingTwiceLeavesHeadAlone) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  for (const int attempt : {1, 2}) {
    Invocation head = invocation_of("w", Side::head, 0, {1});
    head.attempt = attempt;
    measurements.invocations.push_back(head);
    measurements.invocations.push_back(failed_invocation("w", Side::base, 0, attempt));
  }
  const WorkloadSamples taken = samples(plan, measurements);
  EXPECT_EQ(taken.fate, Fate::alone);
  EXPECT_TRUE(taken.base_failed);
  EXPECT_EQ(taken.head.size(), 2u);
}

/// Of a workload whose second attempt at a pair fails for these reasons.
SideFailure failure_at_both(const std::string& base, const std::string& head) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  for (const int attempt : {1, 2}) {
    measurements.invocations.push_back(failed_invocation("w", Side::base, 0, attempt, base));
    measurements.invocations.push_back(failed_invocation("w", Side::head, 0, attempt, head));
  }
  const WorkloadSamples taken = samples(plan, measurements);
  EXPECT_EQ(taken.fate, Fate::failed);
  return taken.reason;
}

TEST(WorkloadSamples, FailureAtBothSidesIsOneOfBoth) {
  EXPECT_EQ(failure_at_both("exit status 1", "exit status 1").text(),
            "fails on both sides alike: exit status 1");
  EXPECT_EQ(failure_at_both("exit status 1; to reproduce: cd /b && ./x",
                            "exit status 1; to reproduce: cd /h && ./x")
                .text(),
            "fails on both sides alike: exit status 1; to reproduce: cd /h && ./x");
  EXPECT_EQ(failure_at_both("no /c/3f2a9c01/data/x at 0x7f3a21b0; to reproduce: cd /b",
                            "no /c/77b1e0d2/data/x at 0x7f3b9990; to reproduce: cd /h")
                .text(),
            "fails on both sides alike: base: no /c/3f2a9c01/data/x at 0x7f3a21b0; head: no "
            "/c/77b1e0d2/data/x at 0x7f3b9990; to reproduce: cd /h");
}

TEST(WorkloadSamples, FailuresOfMovedLinesAreAlike) {
  EXPECT_TRUE(failure_at_both("src/a.rs:10:5: no x", "src/a.rs:14:9: no x").alike());
  EXPECT_FALSE(failure_at_both("a.rs:10:5: no x", "b.rs:10:5: no x").alike());
  EXPECT_FALSE(failure_at_both("a.rs: exited with: 1", "a.rs: exited with: 2").alike());
}

TEST(WorkloadSamples, FailuresOfTwoKindsAreNotAlike) {
  EXPECT_EQ(failure_at_both("exit status 1", "exit status 2").text(),
            "fails on both sides: base: exit status 1; head: exit status 2");
  EXPECT_FALSE(failure_at_both("exit status 1: no numpy", "exit status 1: no scipy").alike());
  EXPECT_FALSE(failure_at_both("no a/x", "no a/y").alike());
}

TEST(WorkloadSamples, FailureOfHeadBesideAGoodBaseIsHeads) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  measurements.invocations = {
      failed_invocation("w", Side::base, 0, 1), failed_invocation("w", Side::head, 0, 1),
      second_attempt(Side::base, 0, 1), failed_invocation("w", Side::head, 0, 2)};
  EXPECT_EQ(samples(plan, measurements).reason.text(), "head failed: exit code 1");
}

TEST(WorkloadSamples, FirstFailureIsFinalWhenNothingElseComes) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  measurements.invocations.push_back(failed_invocation("w", Side::head, 0));
  EXPECT_EQ(samples(plan, measurements, false).fate, Fate::paired);
  EXPECT_EQ(samples(plan, measurements, true).fate, Fate::failed);
}

TEST(WorkloadSamples, GivesUpAfterTwoLostPairs) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  measurements.invocations.push_back(invocation_of("w", Side::base, 0, {1}));
  EXPECT_FALSE(samples(plan, measurements).given_up);
  measurements.invocations.push_back(invocation_of("w", Side::base, 1, {1}));
  EXPECT_TRUE(samples(plan, measurements).given_up);
  EXPECT_EQ(samples(plan, measurements).fate, Fate::paired);
  measurements.invocations.push_back(failed_invocation("w", Side::head, 1));
  EXPECT_EQ(samples(plan, measurements).fate, Fate::failed);
}

TEST(WorkloadSamples, FollowsThePlan) {
  Plan plan = plan_of({"w"});
  plan.workloads[0].base_missing = "did not build";
  EXPECT_EQ(samples(plan, {}).fate, Fate::alone);
  EXPECT_EQ(samples(plan, {}).reason.text(), "did not build");
  plan.workloads[0].head_failed = "no such command";
  EXPECT_EQ(samples(plan, {}).fate, Fate::failed);
  plan = plan_of({"w"}, false);
  EXPECT_EQ(samples(plan, {}).fate, Fate::alone);
}

TEST(WorkloadSamples, HeadAloneMayFailOnce) {
  const Plan plan = plan_of({"w"}, false);
  Measurements measurements;
  Invocation failed = failed_invocation("w", Side::head, 0);
  failed.paired = false;
  measurements.invocations.push_back(failed);
  EXPECT_EQ(samples(plan, measurements).fate, Fate::alone);
  EXPECT_EQ(samples(plan, measurements, true).fate, Fate::failed);
  measurements.invocations.push_back(failed);
  EXPECT_EQ(samples(plan, measurements).fate, Fate::failed);
}

TEST(WorkloadSamples, HeadAloneIsFailedByFailuresOfOneInvocation) {
  const Plan plan = plan_of({"w"}, false);
  Measurements measurements;
  for (const int pair : {0, 1, 2}) {
    measurements.invocations.push_back(failed_invocation("w", Side::head, pair));
    measurements.invocations.push_back(second_attempt(Side::head, pair, 1));
  }
  for (Invocation& invocation : measurements.invocations) {
    invocation.paired = false;
  }
  const WorkloadSamples taken = samples(plan, measurements, true);
  EXPECT_EQ(taken.fate, Fate::alone);
  EXPECT_EQ(taken.head.size(), 3u);
  ASSERT_EQ(taken.retries.size(), 3u);
  EXPECT_EQ(taken.retries[0].text(), "head failed: exit code 1");
}

TEST(WorkloadSamples, GivesUpHeadAloneAfterTwoLostInvocations) {
  const Plan plan = plan_of({"w"}, false);
  Measurements measurements;
  for (const int pair : {0, 1}) {
    EXPECT_EQ(samples(plan, measurements).fate, Fate::alone);
    measurements.invocations.push_back(failed_invocation("w", Side::head, pair));
    measurements.invocations.back().paired = false;
  }
  EXPECT_EQ(samples(plan, measurements).fate, Fate::failed);
}

std::optional<std::size_t> find(const std::string& row, const std::vector<std::string>& names) {
  Plan plan;
  for (const std::string& name : names) {
    plan.workloads.emplace_back();
    plan.workloads.back().workload.name = name;
  }
  return workload_of(row, plan);
}

TEST(PlannedWorkload, IsTheOneOfThatName) {
  EXPECT_EQ(find("w", {"v", "w"}), 1u);
  EXPECT_EQ(find("wide", {"w"}), std::nullopt);
  EXPECT_EQ(find("w", {}), std::nullopt);
}

TEST(PlannedWorkload, IsTheLongestNameInWhateverOrder) {
  EXPECT_EQ(find("w/child", {"w", "w/inner"}), 0u);
  EXPECT_EQ(find("w/inner", {"w", "w/inner"}), 1u);
  EXPECT_EQ(find("w/inner/child", {"w", "w/inner"}), 1u);
  EXPECT_EQ(find("w/inner/child", {"w/inner", "w"}), 0u) << "the later is the shorter one";
}

TEST(PlannedWorkload, IsNoControlArm) {
  Plan plan;
  plan.workloads.resize(2);
  plan.workloads[0].workload.name = plan.workloads[1].workload.name = "w";
  plan.workloads[0].control_of = "w";
  EXPECT_EQ(workload_of("w", plan), 1u);
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include <optional>

#include "analyzer/collect/collection.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

void add_alone(Measurements& measurements, const std::string& workload, int pair, double seconds) {
  measurements.invocations.push_back(
      scripted::invocation_of(workload, Side::head, pair, {seconds, seconds, seconds}));
  measurements.invocations.back().paired = false;
}

void add_failed_alone(Measurements& measurements, const std::string& workload, int pair) {
  for (const int attempt : {1, 2}) {
    measurements.invocations.push_back(
        scripted::failed_invocation(workload, Side::head, pair, attempt));
    measurements.invocations.back().paired = false;
  }
}

TEST(CollectDemand, RequestsTheMissingRunsOfHead) {
  const Plan plan = scripted::plan_of({"a", "b"}, false);
  const Policy policy;
  Measurements measurements;
  std::optional<Demand> demand = next_collection(standing_of(plan, measurements, policy), {5, 2});
  ASSERT_TRUE(demand);
  ASSERT_EQ(demand->workloads.size(), 2U);
  EXPECT_EQ(demand->workloads[0].count, 5);
  EXPECT_EQ(demand->workloads[1].count, 2);
  EXPECT_FALSE(demand->workloads[0].paired);
  EXPECT_EQ(demand->workloads[0].steps, policy.initial_steps);
  EXPECT_EQ(demand->workloads[0].warmup, policy.warmup_steps);

  for (int pair = 0; pair < 2; ++pair) {
    add_alone(measurements, "a", pair, 0.1);
    add_alone(measurements, "b", pair, 0.1);
  }
  demand = next_collection(standing_of(plan, measurements, policy), {5, 2});
  ASSERT_TRUE(demand);
  ASSERT_EQ(demand->workloads.size(), 1U) << "b is complete";
  EXPECT_EQ(demand->workloads[0].workload, 0U);
  EXPECT_EQ(demand->workloads[0].count, 3);
}

TEST(CollectDemand, LeavesAFailedWorkloadAlone) {
  const Plan plan = scripted::plan_of({"a"}, false);
  Measurements measurements;
  add_failed_alone(measurements, "a", 0);
  EXPECT_FALSE(next_collection(standing_of(plan, measurements, {}), {5}));
}

TEST(CollectDemand, EndsWithTheBudgetAndWithASignal) {
  const Plan plan = scripted::plan_of({"a"}, false);
  Measurements spent;
  spent.measured = 10;
  Policy policy;
  policy.budget = 10;
  EXPECT_FALSE(next_collection(standing_of(plan, spent, policy), {5}));
  policy.budget = 11;
  const std::optional<Demand> demand = next_collection(standing_of(plan, spent, policy), {5});
  ASSERT_TRUE(demand);
  EXPECT_DOUBLE_EQ(demand->budget_left, 1);
  Measurements interrupted;
  interrupted.interrupted = true;
  EXPECT_FALSE(next_collection(standing_of(plan, interrupted, policy), {5}));
}

TEST(CollectDemand, MeasuresPairsWithAnAnchorAfterAPilot) {
  const Plan plan = scripted::plan_of({"a"});
  const Policy policy;
  Measurements measurements;
  std::optional<Demand> demand = next_collection(standing_of(plan, measurements, policy), {7});
  ASSERT_TRUE(demand);
  EXPECT_TRUE(demand->workloads[0].paired);
  EXPECT_EQ(demand->workloads[0].count, policy.pilot_pairs);
  scripted::add_pairs(measurements, "a", policy.pilot_pairs, 1.0);
  demand = next_collection(standing_of(plan, measurements, policy), {7});
  ASSERT_TRUE(demand);
  EXPECT_EQ(demand->workloads[0].count, 7 - policy.pilot_pairs);
  EXPECT_EQ(next_collection(standing_of(plan, {}, policy), {2})->workloads[0].count, 2);
}

TEST(CollectDemand, MeasuresHeadAloneWhereTheAnchorCannotRun) {
  Plan plan = scripted::plan_of({"a"});
  plan.workloads[0].base_missing = "did not build";
  const std::optional<Demand> demand = next_collection(standing_of(plan, {}, {}), {5});
  ASSERT_TRUE(demand);
  EXPECT_FALSE(demand->workloads[0].paired);
  EXPECT_EQ(demand->workloads[0].count, 5);
}

TEST(CollectVisits, VisitTheOldestGapsFirst) {
  const std::vector<CollectVisit> visits =
      collect_visits({{{5, 0}, {5, 0}}, {{3, 0}, {5, 0}}, {{0, 0}, {0, 0}}}, 5);
  ASSERT_EQ(visits.size(), 2U);
  EXPECT_EQ(visits[0].commit, 1U);
  EXPECT_EQ(visits[0].wanted, (std::vector<int>{2, 0}));
  EXPECT_EQ(visits[1].commit, 2U);
  EXPECT_EQ(visits[1].wanted, (std::vector<int>{5, 5}));
}

TEST(CollectVisits, RetryEarlierFailuresLast) {
  const std::vector<CollectVisit> visits =
      collect_visits({{{0, 1}}, {{0, 0}}, {{2, 2}}, {{1, 0}}}, 5);
  ASSERT_EQ(visits.size(), 4U);
  EXPECT_EQ(visits[0].commit, 1U);
  EXPECT_EQ(visits[1].commit, 3U);
  EXPECT_EQ(visits[2].commit, 0U);
  EXPECT_EQ(visits[3].commit, 2U);
}

// One workload of a commit that always fails there keeps no other back.
TEST(CollectVisits, VisitCommitsWithUntriedWorkloadsEarlier) {
  const std::vector<CollectVisit> visits = collect_visits({{{0, 4}, {0, 0}}, {{0, 0}, {0, 0}}}, 5);
  ASSERT_EQ(visits.size(), 2U);
  EXPECT_EQ(visits[0].commit, 0U);
}

TEST(CollectedWorkloads, HaveTheMedianOfTheProcesses) {
  const Plan plan = scripted::plan_of({"a"}, false);
  Measurements measurements;
  for (const double seconds : {0.11, 0.10, 0.13}) {
    add_alone(measurements, "a", static_cast<int>(measurements.invocations.size()), seconds);
  }
  const std::vector<CollectedWorkload> all =
      collected_workloads(standing_of(plan, measurements, {}), {3});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].status, CollectedStatus::measured);
  ASSERT_TRUE(all[0].step_time);
  EXPECT_DOUBLE_EQ(all[0].step_time->median, 0.11);
  EXPECT_DOUBLE_EQ(all[0].step_time->min, 0.10);
  EXPECT_DOUBLE_EQ(all[0].step_time->max, 0.13);
  ASSERT_TRUE(all[0].peak_rss);
  EXPECT_DOUBLE_EQ(all[0].peak_rss->median, 1'000'000);
  EXPECT_EQ(all[0].invocations, 3);
  EXPECT_FALSE(all[0].change);
}

TEST(CollectedWorkloads, SeparateFailedFromOmitted) {
  const Plan plan = scripted::plan_of({"failing", "cut"}, false);
  Measurements measurements;
  add_failed_alone(measurements, "failing", 0);
  add_alone(measurements, "cut", 0, 0.1);
  measurements.interrupted = true;
  const std::vector<CollectedWorkload> all =
      collected_workloads(standing_of(plan, measurements, {}), {3, 3});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].status, CollectedStatus::failed);
  EXPECT_EQ(all[0].failure, "failed: exit code 1") << "without an anchor nothing is head";
  EXPECT_FALSE(all[0].step_time);
  EXPECT_EQ(all[1].status, CollectedStatus::left);
  EXPECT_EQ(all[1].invocations, 1);
}

TEST(CollectedWorkloads, ReportTheOutcomeOfTheirCommit) {
  const auto status = [](const std::vector<CollectedStatus>& of_workloads) {
    std::vector<CollectedWorkload> workloads;
    for (const CollectedStatus one : of_workloads) {
      workloads.emplace_back().status = one;
    }
    return status_of(workloads);
  };
  using enum CollectedStatus;
  EXPECT_EQ(status({measured, measured}), measured);
  EXPECT_EQ(status({failed, measured}), measured);
  EXPECT_EQ(status({failed, measured, left}), left);
  EXPECT_EQ(status({failed, failed}), failed);
  EXPECT_EQ(status({}), failed);
}

TEST(CollectedWorkloads, HaveTheChangeAgainstTheAnchor) {
  const Plan plan = scripted::plan_of({"a"});
  Measurements few;
  scripted::add_pairs(few, "a", 5, 1.05);
  CollectedWorkload of_few = collected_workloads(standing_of(plan, few, {}), {5}).front();
  EXPECT_EQ(of_few.pairs, 5);
  EXPECT_EQ(of_few.invocations, 5);
  ASSERT_TRUE(of_few.change);
  EXPECT_NEAR(*of_few.change, 0.05, 0.02);
  EXPECT_FALSE(of_few.interval) << "five pairs bear no interval at 1 %";
  Measurements many;
  scripted::add_pairs(many, "a", 12, 1.05);
  CollectedWorkload of_many = collected_workloads(standing_of(plan, many, {}), {12}).front();
  ASSERT_TRUE(of_many.interval);
  EXPECT_LT(of_many.interval->low, *of_many.change);
  EXPECT_GT(of_many.interval->high, *of_many.change);
}

TEST(CollectedWorkloads, GiveTheReasonForHeadAlone) {
  Plan plan = scripted::plan_of({"a"});
  plan.workloads[0].base_missing = "did not build";
  Measurements measurements;
  add_alone(measurements, "a", 0, 0.1);
  const CollectedWorkload alone =
      collected_workloads(standing_of(plan, measurements, {}), {1}).front();
  EXPECT_EQ(alone.status, CollectedStatus::measured);
  EXPECT_EQ(alone.failure, "did not build");
  EXPECT_EQ(alone.pairs, 0);
}

}  // namespace
}  // namespace perf

#include "analyzer/samples/measured_workloads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::add_pairs;
using scripted::block_of;
using scripted::failed_invocation;
using scripted::invocation_of;
using scripted::plan_of;

void append(Measurements& measurements, Invocation invocation) {
  invocation.start_order = static_cast<std::int64_t>(measurements.invocations.size());
  measurements.invocations.push_back(std::move(invocation));
}

std::vector<std::string> names_of(const std::vector<MeasuredWorkload>& measured) {
  std::vector<std::string> names;
  for (const MeasuredWorkload& workload : measured) {
    names.push_back(workload.workload);
  }
  return names;
}

TEST(MeasuredWorkloads, HoldTheProcessesOfGoodPairsInStartOrder) {
  const Plan plan = plan_of({"w", "v"});
  Measurements measurements;
  add_pair(measurements, "w", 0, 0.010, 0.020, 1000, 2000);
  add_pair(measurements, "v", 0, 0.5, 0.5);
  add_pair(measurements, "w", 1, 0.011, 0.021, 1001, 2001);
  for (std::size_t i = 0; i < measurements.invocations.size(); ++i) {
    measurements.invocations[i].start_order = static_cast<std::int64_t>(i);
  }
  const std::vector<MeasuredWorkload> measured = measured_workloads(plan, measurements);
  ASSERT_EQ(names_of(measured), (std::vector<std::string>{"v", "w"}));
  const std::vector<MeasuredProcess>& processes = measured[1].processes;
  ASSERT_EQ(processes.size(), 4u);
  for (std::size_t i = 1; i < processes.size(); ++i) {
    EXPECT_LT(processes[i - 1].start_order, processes[i].start_order);
  }
  EXPECT_EQ(processes[2].pair, 1);
  EXPECT_NE(processes[2].side, processes[3].side);
  for (const MeasuredProcess& process : processes) {
    const bool head = process.side == Side::head;
    EXPECT_EQ(process.values.at("peak_rss"), (head ? 2000 : 1000) + process.pair);
    ASSERT_EQ(process.steps.size(), 4u);
    EXPECT_TRUE(process.steps.front().warmup) << "the warm-up stays, marked";
    EXPECT_FALSE(process.steps.back().warmup);
    EXPECT_EQ(process.values.count("step_time"), 0u) << "its steps say it";
  }
}

TEST(MeasuredWorkloads, LeaveOutWhatDoesNotCount) {
  Plan plan = plan_of({"w", "w-control"});
  plan.workloads[1].control_of = "w";
  Measurements measurements;
  append(measurements, failed_invocation("w", Side::base, 0));
  append(measurements, invocation_of("w", Side::head, 0, {0.03, 0.03, 0.03}));
  add_pair(measurements, "w", 1, 0.01, 0.02);
  add_pair(measurements, "w-control", 0, 7, 7);
  add_pair(measurements, "w", 2, 8, 8);
  add_pair(measurements, "w", 3, 9, 9);
  const std::size_t size = measurements.invocations.size();
  measurements.invocations[size - 1].counted = measurements.invocations[size - 2].counted = true;
  measurements.invocations[size - 3].layout_seed = measurements.invocations[size - 4].layout_seed =
      5;
  const std::vector<MeasuredWorkload> measured = measured_workloads(plan, measurements);
  ASSERT_EQ(names_of(measured), std::vector<std::string>{"w"});
  ASSERT_EQ(measured[0].processes.size(), 2u);
  EXPECT_EQ(measured[0].processes[0].pair, 1);
  EXPECT_EQ(measured[0].processes[1].pair, 1);
}

TEST(MeasuredWorkloads, HoldWhatHeadRanAlone) {
  const Plan plan = plan_of({"w"}, false);
  Measurements measurements;
  for (int pair = 0; pair < 3; ++pair) {
    Invocation alone = invocation_of("w", Side::head, pair, {0.1, 0.2, 0.3});
    alone.paired = false;
    append(measurements, alone);
  }
  const std::vector<MeasuredWorkload> measured = measured_workloads(plan, measurements);
  ASSERT_EQ(measured.size(), 1u);
  EXPECT_EQ(measured[0].processes.size(), 3u);
}

TEST(MeasuredWorkloads, AreNamedAsTheRowsAre) {
  Plan plan = plan_of({"suite"});
  plan.workloads[0].workload.params = {{"layers", std::int64_t{4}}};
  Measurements measurements;
  add_pairs(measurements, "suite", 4, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks = {block_of({0.1, 0.1, 0.1}, "fast"), block_of({0.2, 0.2, 0.2}, "slow")};
    invocation.blocks[1].params = {{"n", std::int64_t{8}}};
    invocation.blocks[1].metrics = {{Metric{"loss", "1", Better::lower}, 0.5, false}};
    invocation.blocks[1].tokens_per_step = 100;
  }
  const std::vector<MeasuredWorkload> measured = measured_workloads(plan, measurements);
  ASSERT_EQ(names_of(measured), (std::vector<std::string>{"suite", "suite/fast", "suite/slow"}));
  EXPECT_EQ(measured[0].processes[0].values.count("peak_rss"), 1u) << "of the whole process";
  EXPECT_TRUE(measured[0].processes[0].steps.empty());
  EXPECT_EQ(measured[1].params, plan.workloads[0].workload.params);
  EXPECT_EQ(measured[2].params, measurements.invocations[0].blocks[1].params);
  EXPECT_EQ(measured[2].processes[0].values.at("loss"), 0.5);
  EXPECT_DOUBLE_EQ(measured[2].processes[0].values.at("tokens_per_second"), 500);
  EXPECT_DOUBLE_EQ(measured[2].processes[0].steps.back().seconds, 0.2);

  // Every row with a verdict finds its raw measurements.
  for (const Comparison& row : analyze(plan, measurements, {}, {}).comparisons) {
    const std::vector<std::string> names = names_of(measured);
    EXPECT_NE(std::find(names.begin(), names.end(), row.workload), names.end()) << row.workload;
  }
}

TEST(MeasuredWorkloads, OfPrunedStepsKeepTheRest) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  add_pair(measurements, "w", 0, 0.01, 0.02, 1000, 2000);
  for (Invocation& invocation : measurements.invocations) {
    Block& block = invocation.blocks[0];
    block.steps.clear();
    block.pruned = StepSummary{3, 1, 0.01, 0.01, 0.001, 0.009, 0.011, 0.012};
  }
  const std::vector<MeasuredWorkload> measured = measured_workloads(plan, measurements);
  ASSERT_EQ(measured.size(), 1u);
  ASSERT_EQ(measured[0].processes.size(), 2u);
  EXPECT_TRUE(measured[0].processes[0].steps.empty());
  EXPECT_EQ(measured[0].processes[0].values.count("peak_rss"), 1u);
}

}  // namespace
}  // namespace perf

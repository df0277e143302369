#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/samples/samples.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::block_of;
using scripted::plan_of;

class SeriesOfARun : public ::testing::Test {
 protected:
  Plan plan = plan_of({"w"});
  Measurements measurements;
  Policy policy;

  // Points into `samples`, so both live as long as the test.
  WorkloadSamples samples;
  std::vector<MetricSamples> series;

  void read() {
    samples = samples_of(plan.workloads.front(), plan, measurements, false);
    series = series_of(samples, policy);
  }
  const MetricSamples* find(const std::string& workload, const std::string& metric) const {
    const auto found = std::find_if(series.begin(), series.end(), [&](const MetricSamples& one) {
      return one.workload == workload && one.metric.name == metric;
    });
    return found == series.end() ? nullptr : &*found;
  }
  static MetricValue value(const char* name, double number, bool judge,
                           Better better = Better::lower, const char* unit = "s") {
    return {Metric{name, unit, better}, number, judge};
  }
};

TEST_F(SeriesOfARun, HasStepTimeAndPeakMemory) {
  add_pair(measurements, "w", 0, 0.01, 0.02, 1000, 2000);
  read();
  ASSERT_EQ(series.size(), 2u);
  const MetricSamples* time = find("w", "step_time");
  ASSERT_TRUE(time);
  EXPECT_TRUE(time->judged);
  EXPECT_TRUE(time->of_steps);
  ASSERT_EQ(time->pairs.size(), 1u);
  EXPECT_DOUBLE_EQ(time->pairs[0].base.value, 0.01);  // the warm-up of 100 s is no step
  EXPECT_DOUBLE_EQ(time->pairs[0].head.value, 0.02);
  EXPECT_EQ(values_of(*time, time->head).size(), 3u);
  const MetricSamples* memory = find("w", "peak_rss");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->pairs[0].head.value, 2000);
}

TEST_F(SeriesOfARun, HasTheConfigsNameWithOneBlock) {
  add_pair(measurements, "w", 0, 1, 1);
  measurements.invocations[1].blocks[0].workload = "renamed";
  read();
  EXPECT_TRUE(find("w", "step_time"));
  EXPECT_EQ(find("w", "step_time")->pairs.size(), 1u);
}

TEST_F(SeriesOfARun, NamesTheChildrenWithSeveralBlocks) {
  add_pair(measurements, "w", 0, 1, 1);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks = {block_of({1, 2, 3}, "dot"), block_of({4}, "w/axpy"), block_of({5}, "dot")};
  }
  measurements.invocations[1].blocks.pop_back();
  read();
  EXPECT_EQ(find("w/dot", "step_time")->pairs[0].head.value, 2);
  EXPECT_EQ(find("w/axpy", "step_time")->pairs[0].head.value, 4);
  EXPECT_EQ(find("w/dot-2", "step_time")->base.size(), 1u);
  EXPECT_TRUE(find("w/dot-2", "step_time")->head.empty());
  EXPECT_FALSE(find("w", "step_time"));
  EXPECT_TRUE(find("w", "peak_rss"));  // of the process, so of the entry
}

TEST_F(SeriesOfARun, NamesAreSettledByTheFirstPair) {
  add_pair(measurements, "w", 0, 1, 1);
  add_pair(measurements, "w", 1, 1, 1);
  measurements.invocations[3].blocks.push_back(block_of({5}, "late"));
  read();
  EXPECT_EQ(find("w", "step_time")->pairs.size(), 2u);
  EXPECT_EQ(series.size(), 2u);
}

TEST_F(SeriesOfARun, JudgesWhatEitherSideAsksFor) {
  add_pair(measurements, "w", 0, 1, 1);
  measurements.invocations[0].blocks[0].metrics = {value("a", 1, true), value("b", 1, false)};
  measurements.invocations[1].blocks[0].metrics = {value("a", 1, false), value("b", 1, false)};
  read();
  EXPECT_TRUE(find("w", "a")->judged);
  EXPECT_FALSE(find("w", "b")->judged);
}

TEST_F(SeriesOfARun, WhatIsJudgedIsSettledByTheFirstPair) {
  add_pair(measurements, "w", 0, 1, 1);
  add_pair(measurements, "w", 1, 1, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    measurements.invocations[i].blocks[0].metrics = {value("a", 1, i >= 2)};
  }
  read();
  EXPECT_FALSE(find("w", "a")->judged);
}

TEST_F(SeriesOfARun, FilterJudgesWhatItNamesAndNothingElse) {
  add_pair(measurements, "w", 0, 1, 1);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks[0].metrics = {value("a", 1, false)};
  }
  policy.metrics = {"a"};
  read();
  EXPECT_TRUE(find("w", "a")->judged);
  EXPECT_FALSE(find("w", "step_time")->judged);
}

TEST_F(SeriesOfARun, DerivesTokensPerSecond) {
  add_pair(measurements, "w", 0, 0.01, 0.02);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks[0].tokens_per_step = 100;
  }
  read();
  const MetricSamples* tokens = find("w", "tokens_per_second");
  ASSERT_TRUE(tokens);
  EXPECT_FALSE(tokens->judged);
  EXPECT_EQ(tokens->metric.better, Better::higher);
  EXPECT_DOUBLE_EQ(tokens->pairs[0].head.value, 5000);
}

TEST_F(SeriesOfARun, PrefersMeasuredToReportedValues) {
  add_pair(measurements, "w", 0, 0.01, 0.02, 1000, 2000);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks[0].metrics = {value("peak_rss", 1, false, Better::lower, "B"),
                                    value("step_time", 9, false)};
  }
  read();
  EXPECT_EQ(find("w", "peak_rss")->pairs[0].head.value, 2000);
  EXPECT_DOUBLE_EQ(find("w", "step_time")->pairs[0].head.value, 0.02);
}

TEST_F(SeriesOfARun, UnknownMemoryIsNoSeries) {
  add_pair(measurements, "w", 0, 1, 1);
  measurements.invocations[0].process.peak_rss.reset();
  read();
  EXPECT_TRUE(find("w", "peak_rss")->pairs.empty());
  EXPECT_FALSE(find("w", "peak_rss")->in_first_pair);
}

TEST_F(SeriesOfARun, HasNoStepTimeWithWarmupOnly) {
  add_pair(measurements, "w", 0, 1, 1);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks = {block_of({})};
  }
  read();
  EXPECT_FALSE(find("w", "step_time"));
}

TEST_F(SeriesOfARun, DetectsUnlikeUnitsAndParameters) {
  add_pair(measurements, "w", 0, 1, 1);
  measurements.invocations[0].blocks[0].metrics = {value("a", 1, true, Better::lower, "s")};
  measurements.invocations[1].blocks[0].metrics = {value("a", 1, true, Better::higher, "1/s")};
  measurements.invocations[0].blocks[0].params = {{"layers", std::int64_t{4}}};
  measurements.invocations[1].blocks[0].params = {{"layers", std::int64_t{8}}};
  read();
  EXPECT_TRUE(find("w", "a")->unlike);
  EXPECT_TRUE(find("w", "step_time")->params_differ);
  EXPECT_FALSE(find("w", "peak_rss")->params_differ);
}

}  // namespace
}  // namespace perf

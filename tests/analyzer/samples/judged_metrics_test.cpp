// Which metrics are judged, and against which threshold, through the whole of `analyze`.
#include <gtest/gtest.h>

#include <string>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pairs;
using scripted::plan_of;

const Metric kLatency{"latency", "s", Better::lower};
const Metric kThroughput{"throughput", "1/s", Better::higher};

class JudgedMetrics : public ::testing::Test {
 protected:
  // Every workload reports a latency 30 % larger and a throughput 30 % smaller at head.
  JudgedMetrics() {
    for (const char* name : {"micro/a", "micro/b", "macro"}) {
      plan.workloads.push_back(plan_of({name}).workloads[0]);
      add_pairs(measurements, name, 16, 1.0);
    }
    for (Invocation& one : measurements.invocations) {
      const bool head = one.side == Side::head;
      one.blocks[0].metrics = {{kLatency, head ? 1.3 : 1.0}, {kThroughput, head ? 70.0 : 100.0}};
    }
  }

  const Comparison& row(const std::string& workload, const Metric& metric) {
    report = analyze(plan, measurements, policy, {});
    return scripted::row_of(report, workload, metric.name);
  }

  Plan plan = plan_of({});
  Measurements measurements;
  Policy policy;
  Report report;
};

TEST_F(JudgedMetrics, AreTheDefaultTwoOnly) {
  EXPECT_FALSE(row("micro/a", kLatency).judged);
  EXPECT_FALSE(row("micro/a", kLatency).verdict);
  EXPECT_EQ(report.judged, 6);
}

TEST_F(JudgedMetrics, IncludeThoseOfThePolicy) {
  policy.thresholds = {{"", "throughput", 0.2}};
  const Comparison& throughput = row("micro/a", kThroughput);
  EXPECT_TRUE(throughput.judged);
  EXPECT_EQ(throughput.verdict, Verdict::regressed) << "its direction is the protocol's";
  EXPECT_EQ(throughput.threshold, 0.2);
  EXPECT_FALSE(row("micro/a", kLatency).judged);
  EXPECT_EQ(report.judged, 9);
}

TEST_F(JudgedMetrics, IncludeThoseOfAWorkloadsRule) {
  policy.thresholds = {{"micro/*", "latency", 0.5}};
  EXPECT_EQ(row("micro/b", kLatency).verdict, Verdict::unchanged);
  EXPECT_FALSE(row("macro", kLatency).judged);
  EXPECT_EQ(report.judged, 8);
}

// Go rounds bytes down: 0.9 and 1.1 of them are 0 and 1, now and then.
TEST_F(JudgedMetrics, TreatZeroAndOneByteAsEqual) {
  const Metric bytes{"bytes_per_op", "B", Better::lower},
      calls{"allocs_per_op", "1", Better::lower};
  policy.thresholds = {{"", bytes.name, 0.1}, {"", calls.name, 0.1}};
  for (Invocation& one : measurements.invocations) {
    const bool odd = (one.pair + (one.side == Side::head ? 1 : 0)) % 2 == 1;
    const double more = one.workload == "micro/b" && one.side == Side::head ? 2 : 0;
    one.blocks[0].metrics = {{bytes, odd + more}, {calls, odd ? 1.0 : 0.0}};
  }
  EXPECT_EQ(row("micro/a", bytes).verdict, Verdict::unchanged);
  EXPECT_EQ(row("micro/a", calls).verdict, Verdict::inconclusive);
  EXPECT_EQ(row("micro/b", bytes).verdict, Verdict::regressed);
}

TEST_F(JudgedMetrics, AWorkloadsThresholdForAllMetricsNamesNone) {
  policy.thresholds = {{"micro/*", "", 0.02}};
  EXPECT_FALSE(row("micro/a", kLatency).judged);
  EXPECT_EQ(row("micro/a", kLatency).threshold, 0.02);
}

TEST_F(JudgedMetrics, OfTheProtocolHaveTheirThresholdsToo) {
  for (Invocation& one : measurements.invocations) {
    one.blocks[0].metrics[0].judge = true;
  }
  EXPECT_EQ(row("macro", kLatency).verdict, Verdict::regressed);
  EXPECT_EQ(row("macro", kLatency).threshold, policy.threshold);
  policy.thresholds = {{"macro", "", 0.7}, {"", "latency", 0.1}};
  EXPECT_EQ(row("macro", kLatency).threshold, 0.7) << "a workload beats a metric";
  EXPECT_EQ(row("macro", kLatency).verdict, Verdict::unchanged);
  EXPECT_EQ(row("micro/a", kLatency).threshold, 0.1);
}

TEST_F(JudgedMetrics, TheMostSpecificThresholdWinsThenTheLast) {
  policy.thresholds = {{"micro/a", "latency", 0.9}, {"", "latency", 0.2}, {"micro/*", "", 0.3}};
  EXPECT_EQ(row("micro/a", kLatency).threshold, 0.9) << "workload and metric";
  EXPECT_EQ(row("micro/b", kLatency).threshold, 0.3) << "workload";
  EXPECT_EQ(row("macro", kLatency).threshold, 0.2) << "metric";
  EXPECT_EQ(row("macro", kStepTime).threshold, policy.threshold);
  policy.thresholds.push_back({"micro/*", "latency", 0.4});
  EXPECT_EQ(row("micro/a", kLatency).threshold, 0.4) << "the last match";
  policy.threshold_override = true;
  EXPECT_EQ(row("micro/a", kLatency).threshold, policy.threshold) << "--threshold";
  EXPECT_TRUE(row("micro/a", kLatency).judged) << "still named";
}

TEST_F(JudgedMetrics, AreFrozenAfterTheFirstPair) {
  policy.thresholds = {{"", "latency", 0.2}};
  for (Invocation& one : measurements.invocations) {
    if (one.workload == "macro" && one.pair == 0) {
      one.blocks[0].metrics.clear();
    }
  }
  const Comparison& late = row("macro", kLatency);
  EXPECT_FALSE(late.judged);
  EXPECT_FALSE(late.verdict);
  ASSERT_FALSE(late.warnings.empty());
  EXPECT_EQ(late.warnings[0].kind, WarningKind::not_in_first_pair);
  EXPECT_EQ(report.judged, 8);
}

TEST_F(JudgedMetrics, OfMetricWinsOverThresholds) {
  policy.thresholds = {{"", "latency", 0.2}};
  policy.metrics = {"throughput"};
  EXPECT_EQ(row("macro", kThroughput).verdict, Verdict::regressed);
  EXPECT_EQ(report.judged, 3);
}

// What the report knows of families, trade-offs and the session reaches it.
TEST_F(JudgedMetrics, FamiliesAreOfJudgedRows) {
  policy.thresholds = {{"", "latency", 0.2}};
  row("macro", kLatency);
  ASSERT_EQ(report.families.size(), 3u);
  EXPECT_EQ(report.families[0].metric, "latency");
  EXPECT_EQ(report.families[0].family, "micro");
  EXPECT_NEAR(report.families[0].change, 0.3, 1e-9);
  EXPECT_EQ(report.families[0].workloads, 2);
  EXPECT_EQ(report.families[1].metric, "peak_rss");
  EXPECT_EQ(report.families[2].metric, "step_time");
}

TEST_F(JudgedMetrics, WarmupIsOnStepRows) {
  const Comparison& steps = row("macro", kStepTime);
  ASSERT_TRUE(steps.warmup);
  EXPECT_EQ(steps.warmup->first, 100);
  EXPECT_GT(*steps.warmup->change, 1000);
  EXPECT_FALSE(row("macro", kPeakRss).warmup);
}

TEST_F(JudgedMetrics, SessionWarningsReachTheRow) {
  Measurements drifting;
  for (int pair = 0; pair < 24; ++pair) {
    const double level = 0.010 * (1 + 0.02 * pair);
    scripted::add_pair(drifting, "macro", pair, level, level * (1 + 0.001 * (pair % 3)));
  }
  plan = plan_of({"macro"});
  measurements = drifting;
  policy.min_pairs = 24;
  const Comparison& steps = row("macro", kStepTime);
  EXPECT_EQ(steps.verdict, Verdict::unchanged);
  ASSERT_EQ(steps.warnings.size(), 2u);
  EXPECT_EQ(steps.warnings[0].kind, WarningKind::noisy);
  EXPECT_EQ(steps.warnings[1].kind, WarningKind::session_drift);
  EXPECT_NEAR(steps.warnings[1].figures.at("change"), 0.46, 0.05);
  EXPECT_TRUE(row("macro", kPeakRss).warnings.empty());
}

}  // namespace
}  // namespace perf

// A run whose raw steps were pruned is judged as it was.

#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "schema/side_stats.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

void prune(Block& block) {
  std::vector<double> timed;
  StepSummary summary;
  for (const Step& step : block.steps) {
    if (step.warmup) {
      ++summary.warmup;
    } else {
      timed.push_back(step.seconds);
    }
  }
  const SideStats stats = side_stats(timed).value();
  summary.timed = static_cast<int>(timed.size());
  summary.median = stats.median;
  summary.mean = stats.mean;
  summary.stddev = stats.stddev;
  summary.min = stats.min;
  summary.p90 = stats.p90;
  summary.max = stats.max;
  block.pruned = summary;
  block.steps.clear();
}

const Comparison& step_time(const Report& report) {
  return *std::find_if(report.comparisons.begin(), report.comparisons.end(),
                       [](const Comparison& row) { return row.metric.name == kStepTime.name; });
}

TEST(PrunedSteps, LeaveTheVerdictAsItWas) {
  const Plan plan = scripted::plan_of({"a"});
  Measurements measurements;
  scripted::add_pairs(measurements, "a", 16, 1.3);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks[0].tokens_per_step = 100;
    for (Step& step : invocation.blocks[0].steps) {
      step.phases = {{"forward", step.seconds}};
    }
  }
  const Report whole = analyze(plan, measurements, Policy{}, {});
  for (Invocation& invocation : measurements.invocations) {
    prune(invocation.blocks[0]);
  }
  const Report pruned = analyze(plan, measurements, Policy{}, {});

  const Comparison& before = step_time(whole);
  const Comparison& after = step_time(pruned);
  ASSERT_EQ(before.verdict, Verdict::regressed);
  EXPECT_EQ(after.verdict, before.verdict);
  EXPECT_EQ(after.change, before.change);
  EXPECT_EQ(after.pairs, before.pairs);
  ASSERT_TRUE(after.interval && before.interval);
  EXPECT_EQ(after.interval->low, before.interval->low);
  EXPECT_EQ(after.interval->high, before.interval->high);
  EXPECT_EQ(pruned.comparisons.size(), whole.comparisons.size()) << "tokens_per_second as well";

  EXPECT_GT(before.head->steps, 0);
  EXPECT_EQ(after.head->steps, 0) << "summed up by invocation, and said so";
  EXPECT_EQ(after.head->invocations, before.head->invocations);
  EXPECT_EQ(after.notes.size(), before.notes.size() + 1);
  EXPECT_FALSE(before.phases.empty());
  EXPECT_TRUE(after.phases.empty());
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "analyzer/show/views.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"
#include "tests/contains.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::add_pairs;
using scripted::failed_invocation;
using scripted::plan_of;

TEST(RunView, DescribesEachProcess) {
  Plan plan = plan_of({"w", "w-control"});
  plan.workloads[1].control_of = "w";
  Measurements history;
  add_pair(history, "w", 0, 0.01, 0.02, 1000, 2000);
  add_pair(history, "w-control", 0, 0.01, 0.01);
  history.invocations.push_back(failed_invocation("w", Side::head, 1, 2, "exit code 7"));
  history.invocations.back().process.stderr_text = "it broke";
  history.invocations[0].process.stdout_text = "chatter";
  history.invocations[0].traced = true;
  history.invocations[1].counted = true;
  Block& pruned = history.invocations[2].blocks[0];
  pruned.steps.clear();
  pruned.pruned = StepSummary{5, 1, 0.25, 0.25, 0, 0.2, 0.3, 0.3};
  ListedRun listed;
  listed.id = "run-1";
  const RunView view = run_view(listed, plan, {}, history);
  ASSERT_EQ(view.processes.size(), 5u);
  EXPECT_EQ(view.processes[0].apart, "traced");
  EXPECT_EQ(view.processes[0].steps, 3) << "warm-up is no timed step";
  EXPECT_DOUBLE_EQ(view.processes[0].step_time.value(), 0.01);
  EXPECT_EQ(view.processes[0].peak_rss, 1000);
  EXPECT_EQ(view.processes[0].stdout_text, "") << "only a failure's output is worth reading";
  EXPECT_EQ(view.processes[1].apart, "counted");
  EXPECT_EQ(view.processes[2].apart, "control");
  EXPECT_TRUE(view.processes[2].pruned);
  EXPECT_EQ(view.processes[2].steps, 5);
  EXPECT_EQ(view.processes[2].step_time, 0.25);
  EXPECT_EQ(view.processes[4].failure, "exit code 7");
  EXPECT_EQ(view.processes[4].stderr_text, "it broke");
  EXPECT_EQ(view.processes[4].attempt, 2);
}

TEST(RunView, SeparatesTheWorkloadsOfOneProcess) {
  const Plan plan = plan_of({"sums", "other"});
  Measurements history;
  for (int pair = 0; pair < 3; ++pair) {
    add_pair(history, "sums", pair, 0.01 * (pair + 1), 0.02, 1000, 2000);
    for (std::size_t side = history.invocations.size() - 2; side < history.invocations.size();
         ++side) {
      std::vector<Block>& blocks = history.invocations[side].blocks;
      blocks.front().workload = "BM_Sum";
      blocks.push_back(blocks.front());
      blocks.back().workload = "BM_Product";
      for (Step& step : blocks.back().steps) {
        step.seconds *= 100;
      }
    }
  }
  add_pair(history, "other", 0, 0.5, 0.6);
  history.invocations.push_back(failed_invocation("other", Side::head, 1, 2, "exit code 7"));
  const RunView view = run_view({}, plan, {}, history);
  EXPECT_EQ(view.processes[0].blocks, 2);
  EXPECT_EQ(view.processes[0].steps, 6);
  EXPECT_FALSE(view.processes[0].step_time) << "the first one's would pass for that of all";
  EXPECT_DOUBLE_EQ(view.processes[6].step_time.value(), 0.5);
  ASSERT_EQ(view.medians.size(), 6u);
  EXPECT_EQ(view.medians[0].workload, "other");
  EXPECT_EQ(view.medians[0].side, Side::base);
  EXPECT_EQ(view.medians[1].processes, 1) << "what failed is no sample";
  EXPECT_EQ(view.medians[2].workload, "sums/BM_Product");
  EXPECT_NEAR(view.medians[2].step_time.value(), 2, 1e-9) << "the middle of three processes";
  EXPECT_EQ(view.medians[4].workload, "sums/BM_Sum");
  EXPECT_NEAR(view.medians[4].step_time.value(), 0.02, 1e-12);
  EXPECT_EQ(view.medians[5].peak_rss, 2000);
  EXPECT_EQ(view.medians[5].processes, 3);
}

TEST(RunView, NamesAreSettledByTheFirstPair) {
  const Plan plan = plan_of({"w"});
  Measurements history;
  add_pair(history, "w", 0, 0.01, 0.02);
  add_pair(history, "w", 1, 0.01, 0.02);
  history.invocations.back().blocks.push_back(history.invocations.back().blocks.front());
  history.invocations.back().blocks.back().workload = "late";
  const RunView view = run_view({}, plan, {}, history);
  ASSERT_EQ(view.medians.size(), 2u) << "as in a comparison";
  EXPECT_EQ(view.medians[0].workload, "w");
  EXPECT_EQ(view.medians[1].workload, "w");
  EXPECT_EQ(view.medians[1].processes, 2);
}

RecordedSeries series_of_values(const std::string& name, const std::vector<double>& values) {
  RecordedSeries series;
  series.workload = series.name = name;
  series.metric = kStepTime;
  series.fingerprint = "f1";
  for (std::size_t i = 0; i < values.size(); ++i) {
    series.values.push_back({0, static_cast<std::uint32_t>(i / 2), 0, 0, values[i]});
  }
  return series;
}

TEST(RevisionView, SumsUpASeries) {
  RecordedHistory recorded;
  recorded.environments = {{"f1", {{"cpu_model", "Xeon"}}, {}}};
  recorded.series = {series_of_values("v", {3}), series_of_values("u", {1, 2, 3, 4, 100})};
  recorded.series.push_back(series_of_values("anchored", {1.5}));
  recorded.series.back().anchor = std::string(40, 'b');
  const std::vector<ShownMetric> shown = series_at_revision({{"ci", recorded}});
  ASSERT_EQ(shown.size(), 2u) << "a ratio to an anchor is no value of the commit";
  EXPECT_EQ(shown[0].workload, "u");
  EXPECT_EQ(shown[0].median, 3);
  EXPECT_EQ(shown[0].min, 1);
  EXPECT_EQ(shown[0].max, 100);
  EXPECT_EQ(shown[0].processes, 5);
  EXPECT_EQ(shown[0].runs, 3);
  EXPECT_EQ(shown[0].machine, "Xeon");
  EXPECT_NEAR(shown[0].noise.value(), 1.4826 * 1 / 3, 1e-12);
  EXPECT_FALSE(shown[1].noise) << "of one process there is none";
}

TEST(RevisionView, SortsByParameters) {
  RecordedHistory recorded;
  recorded.series = {series_of_values("w", {1}), series_of_values("w", {2}),
                     series_of_values("w", {3})};
  recorded.series[0].params = {{"n", std::int64_t{10}}};
  recorded.series[1].params = {{"n", std::int64_t{2}}};
  recorded.series[2].params = {{"n", std::int64_t{2}}};
  recorded.series[2].fingerprint = "f0";
  const std::vector<ShownMetric> shown = series_at_revision({{"ci", recorded}});
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0].median, 3) << "machines stand together";
  EXPECT_EQ(shown[1].median, 2);
  EXPECT_EQ(shown[2].median, 1);
}

TEST(Reproduced, DoesNotWarnOfTheSameSamples) {
  const Plan plan = plan_of({"w"});
  Measurements history;
  add_pairs(history, "w", 16, 1.3);
  history.budget_spent = true;
  const Report report = analyze(plan, history, {}, {});
  ASSERT_EQ(report.summary.verdict, Verdict::regressed);
  EXPECT_TRUE(differences_from(report, analyze(plan, history, {}, {})).empty());

  Report changed = report;
  for (Comparison& row : changed.comparisons) {
    if (row.metric == kStepTime) {
      row.verdict = Verdict::unchanged;
    }
  }
  const std::vector<Warning> warnings = differences_from(changed, report);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, WarningKind::not_reproduced);
  EXPECT_TRUE(
      contains(reporter::sentence(warnings[0]), "give regressed, the stored report has unchanged"));
}

}  // namespace
}  // namespace perf

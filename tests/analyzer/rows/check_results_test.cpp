#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analyzer/rows/comparison_rows.h"

namespace perf {
namespace {

Block block_with(const std::string& name, bool passed, std::optional<double> error = {}) {
  Block block;
  Check check;
  check.name = name;
  check.passed = passed;
  check.error = error;
  check.tolerance = 1e-4;
  block.checks.push_back(check);
  return block;
}

TEST(CheckResults, PassOnlyWhereEveryInvocationPassed) {
  const Block good = block_with("output", true, 1e-6), bad = block_with("output", false, 1.0);
  MetricSamples series;
  series.base = {Sample{1, &good}, Sample{1, &good}};
  series.head = {Sample{1, &good}, Sample{1, &bad}, Sample{1, nullptr}};
  const auto results = check_results(series);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].base, true);
  EXPECT_EQ(results[0].head, false);
  EXPECT_EQ(results[0].error, 1.0);
  EXPECT_EQ(results[0].tolerance, 1e-4);
  EXPECT_TRUE(is_new_failure(results[0]));
}

TEST(CheckResults, FailWhereOnlyALooserToleranceOfHeadLetsThemPass) {
  const auto head_passes = [](double error, std::optional<double> tolerance) {
    const Block base = block_with("output", true, 1e-6);
    Block head = block_with("output", true, error);
    head.checks[0].tolerance = tolerance;
    MetricSamples series;
    series.base = {Sample{1, &base}};
    series.head = {Sample{1, &head}};
    return !is_new_failure(check_results(series)[0]);
  };
  EXPECT_FALSE(head_passes(0.5, 1));
  EXPECT_TRUE(head_passes(1e-5, 1)) << "by base's tolerance too";
  EXPECT_TRUE(head_passes(1e-6, 1e-5)) << "a stricter one";
  EXPECT_TRUE(head_passes(0.5, 1e-4)) << "its error means something else";
  EXPECT_TRUE(head_passes(0.5, std::nullopt));
}

TEST(CheckResults, OmitASideThatDidNotRunTheCheck) {
  const Block bad = block_with("output", false);
  MetricSamples series;
  series.head = {Sample{1, &bad}};
  EXPECT_EQ(check_results(series)[0].base, std::nullopt);
  EXPECT_TRUE(is_new_failure(check_results(series)[0]));
  std::swap(series.base, series.head);
  EXPECT_FALSE(is_new_failure(check_results(series)[0]));
}

TEST(CheckResults, IgnoreFailuresOnBothSides) {
  const Block bad = block_with("output", false);
  MetricSamples series;
  series.base = series.head = {Sample{1, &bad}};
  EXPECT_FALSE(is_new_failure(check_results(series)[0]));
}

CheckResult counted(int head_failed, int head_runs, int base_failed, int base_runs) {
  CheckResult check;
  if (head_runs > 0) {
    check.head = head_failed == 0;
  }
  if (base_runs > 0) {
    check.base = base_failed == 0;
  }
  check.head_failed = head_failed;
  check.head_runs = head_runs;
  check.base_failed = base_failed;
  check.base_runs = base_runs;
  return check;
}

TEST(CheckResults, CountsInvocations) {
  const Block good = block_with("output", true), bad = block_with("output", false);
  MetricSamples series;
  series.base = {Sample{1, &good}, Sample{1, &bad}, Sample{1, &good}};
  series.head = {Sample{1, &bad}, Sample{1, &bad}, Sample{1, nullptr}};
  const CheckResult check = check_results(series)[0];
  EXPECT_EQ(check.base_failed, 1);
  EXPECT_EQ(check.base_runs, 3);
  EXPECT_EQ(check.head_failed, 2);
  EXPECT_EQ(check.head_runs, 2);
  EXPECT_EQ(check.new_failure, true);
}

TEST(CheckResults, FlakyBaseDoesNotHideABrokenHead) {
  EXPECT_TRUE(is_new_failure(counted(12, 12, 1, 12)));
  EXPECT_TRUE(is_new_failure(counted(3, 3, 1, 3)));
  EXPECT_TRUE(is_new_failure(counted(11, 12, 2, 12))) << "clearly more often";
}

TEST(CheckResults, IgnoreFlakinessThatBaseHasToo) {
  EXPECT_FALSE(is_new_failure(counted(2, 12, 1, 12)));
  EXPECT_FALSE(is_new_failure(counted(5, 12, 2, 12)));
  EXPECT_FALSE(is_new_failure(counted(1, 12, 12, 12)));
  EXPECT_FALSE(is_new_failure(counted(12, 12, 12, 12)));
  EXPECT_FALSE(is_new_failure(counted(12, 12, 11, 12)));
  EXPECT_FALSE(is_new_failure(counted(0, 12, 3, 12)));
}

TEST(CheckResults, OneFailureAtHeadAloneIsNew) {
  EXPECT_TRUE(is_new_failure(counted(1, 12, 0, 12)));
  EXPECT_TRUE(is_new_failure(counted(1, 12, 0, 0)));
  EXPECT_FALSE(is_new_failure(counted(0, 0, 5, 12)));
}

TEST(CheckResults, CompareTheSidesWithoutCounts) {
  EXPECT_TRUE(is_new_failure(CheckResult{"c", true, false, {}, {}}));
  EXPECT_TRUE(is_new_failure(CheckResult{"c", {}, false, {}, {}}));
  EXPECT_FALSE(is_new_failure(CheckResult{"c", false, false, {}, {}}));
  CheckResult stored{"c", false, false, {}, {}};
  stored.new_failure = true;
  EXPECT_TRUE(is_new_failure(stored));
}

// Head computes nothing, and says nothing of its check.
TEST(CheckResults, FailWhereHeadStoppedReporting) {
  const Block reports = block_with("output", true), silent;
  MetricSamples series;
  series.base.assign(12, Sample{1, &reports});
  series.head.assign(12, Sample{1, &silent});
  std::vector<CheckResult> results = check_results(series);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].head, false);
  EXPECT_EQ(results[0].unreported, 12);
  EXPECT_EQ(results[0].new_failure, true);
  EXPECT_EQ(check_notes(results).at(0).kind, WarningKind::check_unreported);
  series.head.resize(11, Sample{1, &silent});
  series.head.push_back(Sample{1, &reports});
  EXPECT_EQ(check_results(series)[0].head_failed, 11) << "it reports what passes";
  // Both sides report it as seldom.
  series.base = series.head;
  EXPECT_EQ(check_results(series)[0].new_failure, false);
  EXPECT_EQ(check_results(series)[0].head_failed, 0);
  // Head never ran, or the check is new.
  series.head.clear();
  EXPECT_EQ(check_results(series)[0].new_failure, false);
  std::swap(series.base, series.head);
  EXPECT_EQ(check_results(series)[0].new_failure, false);
}

TEST(CheckResults, NotANumberIsTheWorstError) {
  const Block nan = block_with("output", false, std::numeric_limits<double>::quiet_NaN());
  const Block fine = block_with("output", true, 1e-6);
  MetricSamples series;
  series.head = {Sample{1, &fine}, Sample{1, &nan}, Sample{1, &fine}};
  EXPECT_TRUE(std::isnan(*check_results(series)[0].error));
}

TEST(CheckResults, ReportWhetherThereIsANewFailure) {
  Report report;
  report.comparisons.resize(2);
  EXPECT_FALSE(has_new_check_failure(report));
  CheckResult check;
  check.base = true;
  check.head = false;
  report.comparisons[1].checks.push_back(check);
  EXPECT_TRUE(has_new_check_failure(report));
}

}  // namespace
}  // namespace perf

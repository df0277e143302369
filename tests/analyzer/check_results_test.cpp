#include "analyzer/check_results.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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
  Series series;
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

TEST(CheckResults, SideThatDidNotRunItIsAbsent) {
  const Block bad = block_with("output", false);
  Series series;
  series.head = {Sample{1, &bad}};
  EXPECT_EQ(check_results(series)[0].base, std::nullopt);
  EXPECT_TRUE(is_new_failure(check_results(series)[0]));
  std::swap(series.base, series.head);
  EXPECT_FALSE(is_new_failure(check_results(series)[0]));
}

TEST(CheckResults, FailingOnBothSidesIsNothingNew) {
  const Block bad = block_with("output", false);
  Series series;
  series.base = series.head = {Sample{1, &bad}};
  EXPECT_FALSE(is_new_failure(check_results(series)[0]));
}

TEST(CheckResults, NotANumberIsTheWorstError) {
  const Block nan = block_with("output", false, std::numeric_limits<double>::quiet_NaN());
  const Block fine = block_with("output", true, 1e-6);
  Series series;
  series.head = {Sample{1, &fine}, Sample{1, &nan}, Sample{1, &fine}};
  EXPECT_TRUE(std::isnan(*check_results(series)[0].error));
}

TEST(CheckResults, ReportKnowsWhetherItHasANewFailure) {
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

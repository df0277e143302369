#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "analyzer/rows/comparison_rows.h"

namespace perf {
namespace {

Comparison row(const std::string& workload, double change, double low, double high) {
  Comparison one;
  one.workload = workload;
  one.metric = kStepTime;
  one.change = change;
  one.interval = Interval{low, high};
  return one;
}

TEST(FamilyMeans, AreGeometric) {
  const auto means =
      family_means({row("training/a", 1.0, 0.5, 2.0), row("training/b", -0.5, -0.6, -0.4)});
  ASSERT_EQ(means.size(), 1u);
  EXPECT_EQ(means[0].family, "training");
  EXPECT_EQ(means[0].metric, "step_time");
  EXPECT_EQ(means[0].workloads, 2);
  EXPECT_NEAR(means[0].change, 0, 1e-12);  // twice and half
  const double below = std::hypot(std::log(2 / 1.5), std::log(0.5 / 0.4)) / 2;
  const double above = std::hypot(std::log(3.0 / 2), std::log(0.6 / 0.5)) / 2;
  EXPECT_NEAR(means[0].interval->low, std::exp(-below) - 1, 1e-12);
  EXPECT_NEAR(means[0].interval->high, std::exp(above) - 1, 1e-12);
}

TEST(FamilyMeans, KeepFamiliesAndMetricsApart) {
  std::vector<Comparison> rows{row("b/x", 0.1, 0, 0.2), row("b/y", 0.1, 0, 0.2),
                               row("a/x", 0.2, 0, 0.4), row("a/y/z", 0.2, 0, 0.4)};
  rows.push_back(rows[0]);
  rows.back().metric = kPeakRss;
  const auto means = family_means(rows);
  ASSERT_EQ(means.size(), 2u);
  EXPECT_EQ(means[0].family, "a");
  EXPECT_NEAR(means[0].change, 0.2, 1e-12);
  EXPECT_EQ(means[1].family, "b");
}

TEST(FamilyMeans, ExcludeRowsWithoutAnInterval) {
  std::vector<Comparison> rows{row("f/a", 0.1, 0, 0.2),       row("f/not_judged", 0.1, 0, 0.2),
                               row("f/to_zero", -1, -1, -1),  row("f/unsure", 0.1, 0, 0.2),
                               row("f/from_zero", 0.1, 0, 1), row("alone", 0.1, 0, 0.2),
                               row("single", 0.1, 0, 0.2)};
  rows[1].judged = false;
  rows[3].interval.reset();
  rows[4].change.reset();
  EXPECT_TRUE(family_means(rows).empty());
}

TEST(FamilyMeans, LeaveOutComparedSettings) {
  std::vector<Comparison> rows{row("f/a", 0.1, 0, 0.2), row("f/b", 0.1, 0, 0.2),
                               row("f/a/threads-2", 5, 4, 6)};
  rows[2].base_params = Params{{"threads", Param(std::int64_t{1})}};
  const auto means = family_means(rows);
  ASSERT_EQ(means.size(), 1u);
  EXPECT_EQ(means[0].workloads, 2);
  EXPECT_NEAR(means[0].change, 0.1, 1e-12);
  rows[1].base_params = Params{};
  EXPECT_TRUE(family_means(rows).empty());
}

// Rows with intervals of 99 %: their mean's interval misses the truth about once in a hundred.
TEST(FamilyMeans, IntervalCovers) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  constexpr double kHalfWidth = 2.576;  // of 99 %, in deviations
  int missed = 0;
  for (int report = 0; report < 5000; ++report) {
    std::vector<Comparison> rows;
    for (int i = 0; i < 5; ++i) {
      const double deviation = 0.01 * (i + 1);
      const double estimate = 0.05 + deviation * normal(engine);
      rows.push_back(row("f/" + std::to_string(i), std::expm1(estimate),
                         std::expm1(estimate - kHalfWidth * deviation),
                         std::expm1(estimate + kHalfWidth * deviation)));
    }
    const auto mean = family_means(rows).at(0);
    missed += std::expm1(0.05) < mean.interval->low || std::expm1(0.05) > mean.interval->high;
  }
  EXPECT_NEAR(missed, 50, 22);  // three deviations of a binomial of 5000 and 1 %
}

}  // namespace
}  // namespace perf

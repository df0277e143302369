#include "analyzer/statistics/two_sample_shift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "analyzer/statistics/mann_whitney.h"
#include "analyzer/statistics/side_stats.h"

namespace perf {
namespace {

std::vector<double> draw(std::size_t count, double mean, std::mt19937_64& random) {
  std::normal_distribution<double> normal(mean, 1);
  std::vector<double> values(count);
  std::generate(values.begin(), values.end(), [&] { return normal(random); });
  return values;
}

TEST(TwoSampleShift, EqualsSortedDifferences) {
  std::mt19937_64 random(5);
  for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{8, 8}, {8, 11}, {13, 9}}) {
    const std::vector<double> base = draw(m, 0, random), head = draw(n, 2, random);
    std::vector<double> differences;
    for (const double y : head) {
      for (const double x : base) {
        differences.push_back(y - x);
      }
    }
    std::sort(differences.begin(), differences.end());
    const double alpha = 0.05;
    const auto k =
        static_cast<std::size_t>(mann_whitney_k(static_cast<int>(m), static_cast<int>(n), alpha));
    const auto found = estimate_two_sample_shift(base, head, alpha);
    ASSERT_TRUE(found);
    const double estimate = median(differences);
    EXPECT_DOUBLE_EQ(found->shift.estimate, estimate);
    EXPECT_DOUBLE_EQ(two_sample_estimate(base, head), estimate);
    const double widening = found->noise.widening;
    EXPECT_NEAR(found->shift.low, estimate - widening * (estimate - differences[k - 1]), 1e-12);
    EXPECT_NEAR(found->shift.high,
                estimate + widening * (differences[differences.size() - k] - estimate), 1e-12);
    EXPECT_LT(found->shift.low, estimate);
  }
}

// The interval of independent sessions, exactly: it misses a shift of 0 just where the test
// rejects, and of all C(16, 8) arrangements of ranks at most alpha does that.
TEST(TwoSampleShift, MissesAtMostAlphaOfAllArrangements) {
  const double alpha = 0.05;
  int missed = 0, all = 0;
  for (unsigned arrangement = 0; arrangement < (1u << 16); ++arrangement) {
    std::vector<double> base, head;
    for (unsigned rank = 0; rank < 16; ++rank) {
      ((arrangement >> rank & 1u) != 0 ? base : head).push_back(rank);
    }
    if (base.size() != 8) {
      continue;
    }
    ++all;
    std::vector<double> differences;
    for (const double y : head) {
      for (const double x : base) {
        differences.push_back(y - x);
      }
    }
    std::sort(differences.begin(), differences.end());
    const auto k = static_cast<std::size_t>(mann_whitney_k(8, 8, alpha));
    missed += differences[k - 1] > 0 || differences[64 - k] < 0 ? 1 : 0;
  }
  EXPECT_EQ(all, 12870);
  EXPECT_LE(missed, alpha * all);
  EXPECT_GT(missed, 0.8 * alpha * all) << "and not many fewer: U is fine-grained here";
}

TEST(TwoSampleShift, WantsEightSessionsASide) {
  std::mt19937_64 random(6);
  EXPECT_FALSE(estimate_two_sample_shift(draw(7, 0, random), draw(30, 0, random), 0.01));
  EXPECT_FALSE(estimate_two_sample_shift(draw(30, 0, random), draw(7, 0, random), 0.01));
  EXPECT_TRUE(estimate_two_sample_shift(draw(8, 0, random), draw(8, 0, random), 0.01));
  EXPECT_FALSE(estimate_two_sample_shift(draw(8, 0, random), draw(8, 0, random), 1e-5));
  EXPECT_EQ(fewest_sessions(0.01), 8);
  EXPECT_EQ(fewest_sessions(1e-4), 9);
}

TEST(TwoSampleShift, OfOneSessionASideIsTheirDifference) {
  EXPECT_EQ(two_sample_estimate(std::vector<double>{1}, std::vector<double>{1.25}), 0.25);
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "analyzer/detector/internal.h"

namespace perf::test {
namespace {

/// By shares alone: no ranks are asked for.
double by_shares(const std::vector<double>& y, double middle, bool is_rise) {
  return order_evidence(y, 4, middle, is_rise, 0);
}

TEST(OrderEvidence, UsesSharesBeyondTheMiddle) {
  const std::vector<double> apart{1, 1, 1, 1, 2, 2, 2, 2};
  EXPECT_NEAR(by_shares(apart, 1.5, true), 16 * std::log(2), 1e-9);
  const std::vector<double> mixed{1, 2, 1, 2, 1, 2, 1, 2};
  EXPECT_EQ(by_shares(mixed, 1.5, true), 0);
  // 1 of 4 before, 3 of 4 after, 4 of 8 in all.
  const std::vector<double> more{1, 1, 2, 1, 2, 2, 1, 2};
  EXPECT_NEAR(by_shares(more, 1.5, true),
              2 * (2 * std::log(0.25) + 6 * std::log(0.75) - 8 * std::log(0.5)), 1e-9);
}

TEST(OrderEvidence, CountsInTheDirectionOfTheStepAndTheMiddleHalf) {
  const std::vector<double> fall{2, 2, 2, 2, 1, 1, 1, 1};
  EXPECT_EQ(by_shares(fall, 1.5, true), 0);
  EXPECT_NEAR(by_shares(fall, 1.5, false), 16 * std::log(2), 1e-9);
  EXPECT_EQ(by_shares(std::vector<double>(8, 1.0), 1.0, true), 0);
}

/// Of 1 to 8 in order the rank sum is 8 below its mean, of variance 12; ties share a rank.
TEST(OrderEvidence, UsesRanksWhereTheyAreStronger) {
  const auto evidence = [](const std::vector<double>& y, bool is_rise) {
    return order_evidence(y, 4, 100, is_rise, 1e9);  // no point is beyond the middle
  };
  EXPECT_NEAR(evidence({1, 2, 3, 4, 5, 6, 7, 8}, true), 64.0 / 12, 1e-9);
  EXPECT_NEAR(evidence({8, 7, 6, 5, 4, 3, 2, 1}, false), 64.0 / 12, 1e-9);
  EXPECT_EQ(evidence({1, 2, 3, 4, 5, 6, 7, 8}, false), 0);
  // Two groups of four equal values: 64 over 12 - 16 x 120 / (12 x 56).
  EXPECT_NEAR(evidence({1, 1, 1, 1, 2, 2, 2, 2}, true), 64 / (12 - 20.0 / 7), 1e-9);
  EXPECT_EQ(evidence(std::vector<double>(8, 1.0), true), 0);
  // Ranks 1, 3, 3, 5.5 before; 3, 5.5, 7.5, 7.5 after: 5.5 below the mean.
  EXPECT_NEAR(evidence({1, 2, 2, 3, 2, 3, 4, 4}, true), 5.5 * 5.5 / (12 - 6.0 / 7), 1e-9);
}

/// Three points of the rarer of two modes in a row are no step; three beyond twenty others are.
TEST(OrderEvidence, SeparatesModesFromSteps) {
  std::vector<double> y(20, 1.0);
  y.insert(y.end(), 3, 2.0);
  EXPECT_GT(order_evidence(y, 20, 1.5, true, 1e9), least_order_evidence(y.size()));
  for (const std::size_t other : {2U, 7U, 11U, 16U}) {
    y[other] = 2;
  }
  EXPECT_LT(order_evidence(y, 20, 1.5, true, 1e9), least_order_evidence(y.size()));
}

}  // namespace
}  // namespace perf::test

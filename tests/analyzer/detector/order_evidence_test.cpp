#include "analyzer/detector/order_evidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace perf::test {
namespace {

TEST(OrderEvidence, IsThatOfSharesBeyondTheMiddle) {
  const std::vector<double> apart{1, 1, 1, 1, 2, 2, 2, 2};
  EXPECT_NEAR(order_evidence(apart, 4, 1.5, true), 16 * std::log(2), 1e-9);
  const std::vector<double> mixed{1, 2, 1, 2, 1, 2, 1, 2};
  EXPECT_EQ(order_evidence(mixed, 4, 1.5, true), 0);
  // 1 of 4 before, 3 of 4 after, 4 of 8 in all.
  const std::vector<double> more{1, 1, 2, 1, 2, 2, 1, 2};
  EXPECT_NEAR(order_evidence(more, 4, 1.5, true),
              2 * (2 * std::log(0.25) + 6 * std::log(0.75) - 8 * std::log(0.5)), 1e-9);
}

TEST(OrderEvidence, CountsInTheDirectionOfTheStepAndTheMiddleHalf) {
  const std::vector<double> fall{2, 2, 2, 2, 1, 1, 1, 1};
  EXPECT_EQ(order_evidence(fall, 4, 1.5, true), 0);
  EXPECT_NEAR(order_evidence(fall, 4, 1.5, false), 16 * std::log(2), 1e-9);
  EXPECT_EQ(order_evidence(std::vector<double>(8, 1.0), 4, 1.0, true), 0);
}

/// Three points of the rarer of two modes in a row are no step; three beyond twenty others are.
TEST(OrderEvidence, TellsModesFromSteps) {
  std::vector<double> y(20, 1.0);
  y.insert(y.end(), 3, 2.0);
  EXPECT_GT(order_evidence(y, 20, 1.5, true), least_order_evidence(y.size()));
  for (const std::size_t other : {2U, 7U, 11U, 16U}) {
    y[other] = 2;
  }
  EXPECT_LT(order_evidence(y, 20, 1.5, true), least_order_evidence(y.size()));
}

}  // namespace
}  // namespace perf::test

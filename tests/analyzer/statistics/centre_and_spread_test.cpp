#include "analyzer/statistics/centre_and_spread.h"

#include <gtest/gtest.h>

#include <vector>

namespace perf {
namespace {

TEST(CentreAndSpread, EqualTheDeviationOfANormalSample) {
  const CentreAndSpread found = centre_and_spread(std::vector<double>{1, 2, 3, 4, 100});
  EXPECT_EQ(found.centre, 3);
  EXPECT_NEAR(found.spread, 1.4826, 1e-12) << "one far value is no spread";
  EXPECT_EQ(found.count, 5u);
}

TEST(Sums, AreAboutACentre) {
  const std::vector<double> values{1, 2, 6};
  EXPECT_DOUBLE_EQ(mean(values), 3);
  EXPECT_DOUBLE_EQ(squares_about(values, 3), 14);
  EXPECT_DOUBLE_EQ(products_about(values, 3), 2 - 3);
}

}  // namespace
}  // namespace perf

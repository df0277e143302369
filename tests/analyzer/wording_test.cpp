#include "schema/text/wording.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(Wording, GivesPercentagesTwoDigits) {
  EXPECT_EQ(percent(0.08), "8 %");
  EXPECT_EQ(percent(0.0314), "3.1 %");
  EXPECT_EQ(percent(-0.123), "12 %");
  EXPECT_EQ(percent(0.0996), "10 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(1.5), "150 %");
  EXPECT_EQ(signed_percent(0.03), "+3 %");
  EXPECT_EQ(signed_percent(-0.031), "-3.1 %");
}

TEST(Wording, SurvivesHugeNumbers) {
  EXPECT_GT(percent(1e300).size(), 300u);
}

TEST(Wording, CallsADirectionByItsUnit) {
  EXPECT_EQ(direction_word(kStepTime, 0.1), "slower");
  EXPECT_EQ(direction_word(kStepTime, -0.1), "faster");
  EXPECT_EQ(direction_word(kPeakRss, 0.1), "larger");
  EXPECT_EQ(direction_word(Metric{"tokens_per_second", "1/s", Better::higher}, -0.1), "lower");
}

TEST(Wording, CountsInSingularAndPlural) {
  EXPECT_EQ(counted(0, "pair"), "0 pairs");
  EXPECT_EQ(counted(1, "pair"), "1 pair");
  EXPECT_EQ(counted(12, "judged comparison"), "12 judged comparisons");
}

TEST(Wording, ShowsSmallExactChanges) {
  EXPECT_EQ(fine_percent(0.001), "0.10 %");
  EXPECT_EQ(fine_percent(-0.0000043), "0.00043 %");
  EXPECT_EQ(fine_percent(0.0123), "1.2 %");
  EXPECT_EQ(fine_percent(0.5), "50 %");
  EXPECT_EQ(fine_percent(1e-20), "0.000000000000 %");
  EXPECT_EQ(fine_percent(0), "0 %");
}

}  // namespace
}  // namespace perf

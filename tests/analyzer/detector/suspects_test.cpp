#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/detector/change_points.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {
namespace {

TEST(Suspects, AreFoundWhereNoStepWasAccepted) {
  std::mt19937_64 random(1);
  const std::vector<double> values = times(noise_of(Nature::white, 200, 0.01, random), 196, 0.10);
  const std::vector<FoundStep> suspects = find_suspects(values, {});
  ASSERT_EQ(suspects.size(), 1U);
  EXPECT_EQ(suspects[0].index, 196U);
  EXPECT_NEAR(suspects[0].change, 0.10, 0.02);
  EXPECT_EQ(suspects[0].right_end, 200U);
}

TEST(Suspects, DoNotRepeatWhatIsAccepted) {
  std::mt19937_64 random(2);
  const std::vector<double> values = times(noise_of(Nature::white, 200, 0.01, random), 120, 0.10);
  const std::vector<FoundStep> steps = find_steps(values);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_TRUE(find_suspects(values, steps).empty());
}

/// A gap at an accepted step, and one before it, move no position.
TEST(Suspects, CountGaps) {
  std::mt19937_64 random(3);
  std::vector<double> values = times(noise_of(Nature::white, 200, 0.01, random), 196, 0.10);
  values.insert(values.begin() + 50, {0.0, -1.0});
  const std::vector<FoundStep> suspects = find_suspects(values, {});
  ASSERT_EQ(suspects.size(), 1U);
  EXPECT_EQ(suspects[0].index, 198U);
  EXPECT_EQ(suspects[0].previous, 197U);
}

TEST(Suspects, AreRareOnCleanSeriesAndSoonerThanSteps) {
  std::mt19937_64 random(4);
  int suspected = 0, sooner = 0;
  for (int replica = 0; replica < 200; ++replica) {
    const std::vector<double> clean = times(noise_of(Nature::white, 200, 0.01, random));
    suspected += find_suspects(clean, find_steps(clean)).empty() ? 0 : 1;
    // Two points after a step of 5 %.
    const std::vector<double> values = times(noise_of(Nature::white, 152, 0.01, random), 150, 0.05);
    const std::vector<FoundStep> steps = find_steps(values);
    sooner += steps.empty() && !find_suspects(values, steps).empty() ? 1 : 0;
  }
  EXPECT_LE(suspected, 4);
  EXPECT_GE(sooner, 50);
}

TEST(Suspects, ShortAndEmptySeriesHaveNone) {
  for (std::size_t points = 0; points <= 5; ++points) {
    EXPECT_TRUE(find_suspects(std::vector<double>(points, 1.0), {}).empty()) << points;
  }
}

}  // namespace
}  // namespace perf::test

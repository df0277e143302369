#include <gtest/gtest.h>

#include <limits>

#include "reporter/svg/pictures.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"
#include "tests/reporter/svg/drawn.h"

namespace perf::reporter::svg {
namespace {

using samples::drawn_with;

Comparison with_pairs(std::vector<double> changes) {
  Comparison one = samples::step_time("training/lm", 0.2, 0.02, 0.01, Verdict::unchanged);
  one.interval = Interval{0.01, 0.03};
  one.pair_changes = std::move(changes);
  return one;
}

TEST(PairPicture, DrawsADotPerPairFromLeftToRight) {
  const std::string svg = pair_picture(with_pairs({0.01, 0.03, 0.02}));
  const auto places = drawn_with(svg, "path", "dots").at(0).places();
  ASSERT_EQ(places.size(), 3u);
  EXPECT_LT(places[0].x, places[1].x);
  EXPECT_LT(places[1].x, places[2].x);
  EXPECT_LT(places[1].y, places[2].y) << "more is higher up";
  EXPECT_LT(places[2].y, places[0].y);
  samples::expect_within(svg, "pairs");
}

TEST(PairPicture, DrawsEstimateIntervalAndBand) {
  const std::string svg = pair_picture(with_pairs({0.01, 0.03, 0.02}));
  const double estimate = drawn_with(svg, "line", "unchanged").at(0).number("y1");
  const auto reach = drawn_with(svg, "rect", "reach").at(0);
  EXPECT_NEAR(reach.number("y") + reach.number("height") / 2, estimate, 0.11);
  const auto places = drawn_with(svg, "path", "dots").at(0).places();
  EXPECT_NEAR(places[2].y, estimate, 0.11) << "that pair is the estimate";
  const auto band = drawn_with(svg, "rect", "band").at(0);
  const double zero = drawn_with(svg, "line", "axis").at(0).number("y1");
  EXPECT_NEAR((zero - estimate) / (zero - band.number("y")), 0.02 / 0.1, 0.01);
  const double below = band.number("y") + band.number("height") - zero;
  EXPECT_NEAR((zero - band.number("y")) / below, 1.1, 0.01) << "10 % up is 9.1 % down";
  EXPECT_TRUE(contains(samples::texts_of(svg), "grey: -9.1 % to +10 %"));
}

TEST(PairPicture, MarksAndCountsOutliers) {
  std::vector<double> changes(40, 0.01);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    changes[i] += 0.001 * static_cast<double>(i % 5);
  }
  changes[7] = 30;
  const std::string svg = pair_picture(with_pairs(changes));
  EXPECT_EQ(drawn_with(svg, "path", "dots").at(0).places().size(), 39u);
  EXPECT_EQ(samples::drawn(svg, "polygon").size(), 1u);
  EXPECT_TRUE(contains(samples::texts_of(svg), "1 beyond the scale"));
}

TEST(PairPicture, IsEmptyWithoutPairs) {
  EXPECT_EQ(pair_picture(with_pairs({})), "");
  EXPECT_EQ(pair_picture(with_pairs({std::numeric_limits<double>::quiet_NaN()})), "");
}

}  // namespace
}  // namespace perf::reporter::svg

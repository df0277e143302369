#include <gtest/gtest.h>

#include "reporter/svg/pictures.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"
#include "tests/reporter/svg/drawn.h"

namespace perf::reporter::svg {
namespace {

using samples::drawn;
using samples::step_time;
using samples::texts_of;

TEST(BarPicture, DrawsRatiosToTheBase) {
  const std::string svg = bar_picture({step_time("a", 1e-6, 0.5, 0.02, Verdict::regressed),
                                       step_time("b", 100, -0.25, 0.02, Verdict::improved)},
                                      kStepTime);
  const auto bars = drawn(svg, "rect");
  ASSERT_EQ(bars.size(), 4u);
  const double base = bars[0].number("width");
  EXPECT_GT(base, 100);
  EXPECT_NEAR(bars[1].number("width") / base, 1.5, 0.002);
  EXPECT_NEAR(bars[2].number("width"), base, 0.11) << "whatever the magnitude";
  EXPECT_NEAR(bars[3].number("width") / base, 0.75, 0.002);
  EXPECT_TRUE(contains(texts_of(svg), "1.50 µs"));
  EXPECT_TRUE(contains(texts_of(svg), "100 s"));
  samples::expect_within(svg, "bars");
}

TEST(BarPicture, BreaksABarThatIsTooLong) {
  const std::string svg = bar_picture({step_time("a", 1, 40, 0.1, Verdict::regressed)}, kStepTime);
  EXPECT_EQ(drawn(svg, "polygon").size(), 1u);
  samples::expect_within(svg, "long");
}

TEST(BarPicture, ShowsWorkloadsMeasuredOnBothSides) {
  Comparison zero = step_time("zero", 0, 0, 0, Verdict::unchanged);
  Comparison negative = step_time("negative", -1, 0, 0, Verdict::unchanged);
  EXPECT_EQ(bar_picture({zero, negative, samples::unmatched("new", Verdict::fresh, "")}, kStepTime),
            "")
      << "these have no bars";
  const std::string svg = bar_picture(samples::mixed().comparisons, kPeakRss);
  EXPECT_EQ(drawn(svg, "rect").size(), 2 * 7u);
}

}  // namespace
}  // namespace perf::reporter::svg

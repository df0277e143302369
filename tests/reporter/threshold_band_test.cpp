#include "reporter/threshold_band.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/reporter/sample_comparisons.h"

namespace perf::reporter {
namespace {

TEST(ThresholdBand, is_as_far_down_as_up_in_ratios) {
  for (const double threshold : {0.001, 0.1, 0.28, 1.0, 9.0}) {
    const Interval band = threshold_band(threshold);
    EXPECT_EQ(band.high, threshold);
    EXPECT_NEAR(std::log1p(band.low), -std::log1p(band.high), 1e-12);
  }
  EXPECT_NEAR(threshold_band(0.28).low, -0.21875, 1e-12);
  EXPECT_EQ(threshold_band(INFINITY).low, -1) << "a number, whatever the threshold";
}

TEST(ThresholdPhrase, says_where_it_lies_for_what_went_down) {
  const auto phrase = [](double change) {
    return threshold_phrase(samples::step_time("a", 1, change, 0.001, Verdict::unchanged));
  };
  EXPECT_EQ(phrase(0.2), "10 %");
  EXPECT_EQ(phrase(-0.095), "10 % (-9.1 %)");
  Comparison unknown = samples::step_time("a", 1, 0, 0, Verdict::failed);
  unknown.change.reset();
  EXPECT_EQ(threshold_phrase(unknown), "10 %");
}

}  // namespace
}  // namespace perf::reporter

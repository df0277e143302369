#include "reporter/change.h"

#include <gtest/gtest.h>

#include <limits>

namespace perf::reporter {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Change, carries_a_sign_and_its_interval) {
  EXPECT_EQ(change_text(0.143, Interval{0.121, 0.16}), "+14.3 % [+12.1, +16.0]");
  EXPECT_EQ(change_text(-0.236, Interval{-0.254, -0.22}), "-23.6 % [-25.4, -22.0]");
  EXPECT_EQ(change_text(0.01, std::nullopt), "+1.0 %");
}

TEST(Change, has_digits_that_tell_something) {
  EXPECT_EQ(change_text(0.0012, Interval{-0.0005, 0.003}), "+0.12 % [-0.05, +0.30]");
  EXPECT_EQ(change_text(2.5, Interval{2.4, 2.6}), "+250 % [+240, +260]");
}

TEST(Change, is_a_number_however_large) {
  EXPECT_EQ(change_text(1e308), "+1.80e+308 %");
  EXPECT_EQ(change_text(1e12, Interval{0.5, 1e300}), "+1.00e+14 % [+50, +1.00e+302]");
  EXPECT_EQ(change_text(9e6), "+900000000 %");
  EXPECT_EQ(percentage(1e300), "1.00e+302 %");
}

TEST(Change, zero_has_no_minus) {
  EXPECT_EQ(change_text(-1e-9), "+0.00 %");
  EXPECT_EQ(change_text(0), "+0.00 %");
  EXPECT_EQ(change_text(-1), "-100 %");
}

TEST(Change, what_is_no_number_is_left_out) {
  EXPECT_EQ(change_text(kNan, Interval{0, 1}), "-");
  EXPECT_EQ(change_text(0.5, Interval{kNan, 1}), "+50.0 %");
}

TEST(Percentage, has_no_needless_zeros) {
  EXPECT_EQ(percentage(0.10), "10 %");
  EXPECT_EQ(percentage(0.025), "2.5 %");
  EXPECT_EQ(percentage(0.0025), "0.25 %");
  EXPECT_EQ(percentage(1), "100 %");
  EXPECT_EQ(percentage(0), "0 %");
  EXPECT_EQ(percentage(kNan), "-");
}

TEST(RoughPercentage, never_promises_more_than_was_seen) {
  EXPECT_EQ(rough_percentage(0.0163), "1.7 %");
  EXPECT_EQ(rough_percentage(0.021), "2.1 %");
  EXPECT_EQ(rough_percentage(0.10), "10 %");
  EXPECT_EQ(rough_percentage(0.0051), "0.51 %");
  EXPECT_EQ(rough_percentage(0), "0 %");
}

}  // namespace
}  // namespace perf::reporter

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "reporter/svg/drawing.h"

namespace perf::reporter::svg {
namespace {

TEST(Axis, MapsValues) {
  const Axis axis{10, 20, 100, 0};
  EXPECT_DOUBLE_EQ(axis.at(10), 100);
  EXPECT_DOUBLE_EQ(axis.at(15), 50);
  EXPECT_DOUBLE_EQ(axis.within(25), 0);
  EXPECT_DOUBLE_EQ(axis.within(-5), 100);
  const Axis decades{1, 100, 0, 10, true};
  EXPECT_NEAR(decades.at(10), 5, 1e-12);
}

TEST(Axis, HasRoundTicks) {
  EXPECT_EQ(ticks({0, 1, 0, 1}, 5), (std::vector<double>{0, 0.2, 0.2 * 2, 0.2 * 3, 0.8, 1}));
  EXPECT_EQ(ticks({-7, 13, 0, 1}, 4), (std::vector<double>{-5, 0, 5, 10}));
  const std::vector<double> decades = ticks({1, 1000, 0, 1, true}, 6);
  EXPECT_EQ(decades.front(), 1);
  EXPECT_EQ(decades.back(), 1000);
}

TEST(Axis, HasDistinctTickNumbers) {
  const std::vector<double> halves{0, 0.5, 1};
  EXPECT_EQ(tick_text(0, halves), "0.0");
  EXPECT_EQ(tick_text(0.5, halves), "0.5");
  EXPECT_EQ(tick_text(-20, {-20, 0, 20}), "-20");
  EXPECT_EQ(tick_text(1e12, {0, 1e12}), "1e+12");
  EXPECT_EQ(tick_text(0.00002, {0.00002, 0.00004}), "2e-05");
}

/// Any two finite ends make an axis with a few ticks that lie on it and read differently.
TEST(Axis, HasUsableTicksForAnyValues) {
  std::mt19937_64 random(11);
  const double extremes[] = {0,     1e-320,  1e-300, 1e-12, 1,      1e12,
                             1e300, 1.7e308, -1e-12, -1e12, -1e300, 1 + 1e-15};
  std::vector<std::pair<double, double>> ranges;
  for (const double low : extremes) {
    for (const double high : extremes) {
      if (low <= high) {
        ranges.push_back({low, high});
      }
    }
  }
  for (int i = 0; i < 2000; ++i) {
    const double size = std::pow(10, static_cast<double>(random() % 240) / 10 - 12);
    const double low = (static_cast<double>(random() % 2001) - 1000) * size / 1000;
    const double narrow = std::pow(10, -static_cast<double>(random() % 18));
    ranges.push_back({low, low + std::abs(low) * narrow});
  }
  for (const auto& [low, high] : ranges) {
    const Axis axis = axis_around(low, high, 0, 100);
    ASSERT_LT(axis.low, axis.high) << low << " " << high;
    EXPECT_GE(axis.within(low), 0);
    EXPECT_LE(axis.within(high), 100);
    const std::vector<double> values = ticks(axis, 4);
    EXPECT_GE(values.size(), 1u) << low << " " << high;
    EXPECT_LE(values.size(), 9u) << low << " " << high;
    for (const double value : values) {
      EXPECT_GE(axis.at(value), -0.1);
      EXPECT_LE(axis.at(value), 100.1);
      EXPECT_LT(tick_text(value, values).size(), 14u);
    }
  }
}

TEST(Axis, HasFewLogarithmicTicksOverAnySpan) {
  for (const double low : {1e-12, 0.3, 1.0, 7.0, 64.0}) {
    for (const double factor : {1.0, 1.1, 11.0, 1e3, 1e8, 1e24}) {
      const Axis axis = log_axis_around(low, low * factor, 0, 100);
      ASSERT_LT(axis.low, axis.high);
      const std::vector<double> values = ticks(axis, 6);
      EXPECT_GE(values.size(), 2u) << low << " " << factor;
      EXPECT_LE(values.size(), 14u) << low << " " << factor;
    }
  }
}

TEST(Axis, CoversMostValues) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) {
    values.push_back(100 + i % 10);
  }
  values.push_back(1e6);
  const Axis axis = axis_around_most(values, 0, 100);
  EXPECT_LE(axis.low, 100);
  EXPECT_GE(axis.high, 109);
  EXPECT_LT(axis.high, 200) << "one straggler must not press the others together";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(axis_around_most({nan, INFINITY}, 0, 1).high, 1);
  const Axis one = axis_around_most({5, 5, 5}, 0, 1);
  EXPECT_LT(one.low, 5);
  EXPECT_GT(one.high, 5);
}

}  // namespace
}  // namespace perf::reporter::svg

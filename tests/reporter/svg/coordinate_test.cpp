#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "reporter/svg/drawing.h"

namespace perf::reporter::svg {
namespace {

std::string text_of(double value) {
  std::string text;
  append_tenths(text, tenths(value));
  return text;
}

TEST(Coordinate, IsShort) {
  EXPECT_EQ(text_of(12.5), "12.5");
  EXPECT_EQ(text_of(7), "7");
  EXPECT_EQ(text_of(-0.3), "-.3");
  EXPECT_EQ(text_of(0.04), "0");
  EXPECT_EQ(text_of(-0.04), "0");
  EXPECT_EQ(text_of(-12.06), "-12.1");
  EXPECT_EQ(text_of(100), "100");
}

TEST(Coordinate, IsANumberForAnyValue) {
  EXPECT_EQ(text_of(std::numeric_limits<double>::quiet_NaN()), "0");
  EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "0");
  EXPECT_EQ(text_of(1e300), "1000000");
  EXPECT_EQ(text_of(-1e300), "-1000000");
}

TEST(Coordinate, IsExactToATenth) {
  for (int i = -4000; i <= 4000; ++i) {
    const double value = i * 0.137;
    EXPECT_NEAR(std::stod(text_of(value)), value, 0.0501);
  }
}

}  // namespace
}  // namespace perf::reporter::svg

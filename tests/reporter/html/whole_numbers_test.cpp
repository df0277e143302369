#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "reporter/html/trend_series_list.h"

namespace perf::reporter::html {
namespace {

/// As the script reads them.
double read(const WholeNumbers& whole, std::size_t i) {
  const std::string text =
      std::to_string(whole.base + whole.rest.at(i)) + "e" + std::to_string(whole.exponent);
  return std::strtod(text.c_str(), nullptr);
}

TEST(WholeNumbers, keep_six_digits_of_the_median) {
  const WholeNumbers whole = whole_numbers({0.4123456, 0.4187654, 0.4000001});
  EXPECT_EQ(whole.exponent, -6);
  EXPECT_EQ(whole.base, 412346);
  EXPECT_EQ(whole.rest, (std::vector<std::int64_t>{0, 6419, -12346}));
}

TEST(WholeNumbers, read_back_to_five_digits_whatever_the_unit) {
  std::mt19937 random(11);
  for (int exponent = -300; exponent <= 300; exponent += 7) {
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) {
      values.push_back((1 + static_cast<double>(random() % 1000000) / 4e6) *
                       std::pow(10.0, exponent));
    }
    const WholeNumbers whole = whole_numbers(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(read(whole, i) / values[i], 1, 1e-5) << values[i];
    }
  }
}

TEST(WholeNumbers, hold_outliers_of_any_size) {
  const WholeNumbers whole = whole_numbers({1, 1.01, 0.99, 1e12, -1e12, 0});
  EXPECT_NEAR(read(whole, 1), 1.01, 0.01);
  EXPECT_NEAR(read(whole, 3) / 1e12, 1, 1e-6);
  EXPECT_NEAR(read(whole, 4) / -1e12, 1, 1e-6);
  for (const std::int64_t rest : whole.rest) {
    EXPECT_LT(std::abs(rest), std::int64_t{1} << 53) << "a script holds it exactly";
  }
}

TEST(WholeNumbers, know_zero_and_nothing) {
  EXPECT_TRUE(whole_numbers({}).rest.empty());
  const WholeNumbers zeros = whole_numbers({0, 0});
  EXPECT_EQ(read(zeros, 0), 0);
  EXPECT_EQ(read(whole_numbers({0, 0, 5}), 2), 5);
  EXPECT_NEAR(read(whole_numbers({5e-324}), 0), 5e-324, 1e-323);
}

}  // namespace
}  // namespace perf::reporter::html

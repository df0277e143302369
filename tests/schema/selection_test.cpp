#include "schema/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace perf {
namespace {

double median_of(std::vector<double> values) {
  return median_in_place(values);
}

TEST(MedianInPlace, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median_of({7}), 7);
  EXPECT_TRUE(std::isnan(median_of({})));
}

/// Also where a pivot is a bad one (sorted, in turns, nearly all equal).
TEST(MedianInPlace, EqualsTheMedianOfSortedValues) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const std::size_t count : {2U, 48U, 49U, 50U, 333U, 1001U, 4096U, 20'000U, 100'001U}) {
    std::vector<double> drawn(count), ticks(count), rising(count), in_turns(count), lone(count);
    for (std::size_t i = 0; i < count; ++i) {
      drawn[i] = normal(random);
      ticks[i] = std::round(drawn[i]);
      rising[i] = static_cast<double>(i);
      in_turns[i] = static_cast<double>(i % 16);
      lone[i] = i % 16 == 0 ? 5 + drawn[i] : drawn[i];
    }
    for (const std::vector<double>& values : {drawn, ticks, rising, in_turns, lone}) {
      std::vector<double> sorted = values;
      std::ranges::sort(sorted);
      EXPECT_EQ(median_of(values), (sorted[(count - 1) / 2] + sorted[count / 2]) / 2) << count;
    }
  }
}

TEST(NthInPlace, PartitionsTheValues) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> values(1 + random() % 300);
    const std::size_t kinds = 1 + random() % 400, rank = random() % values.size();
    std::ranges::generate(values, [&] { return static_cast<double>(random() % kinds); });
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    ASSERT_EQ(nth_in_place(values, rank), sorted[rank]);
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
    ASSERT_EQ(*place, sorted[rank]);
    ASSERT_TRUE(std::all_of(values.begin(), place, [&](double one) { return one <= *place; }));
    ASSERT_TRUE(std::all_of(place, values.end(), [&](double one) { return one >= *place; }));
    std::ranges::sort(values);
    ASSERT_EQ(values, sorted) << "none is lost";
  }
}

/// Each round takes but the least few away, where the values are ordered against the pivots.
TEST(NthInPlace, TerminatesForBadPivots) {
  std::vector<double> values(50'000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % (values.size() / 9) < 3 ? static_cast<double>(i) : 1e6 + static_cast<double>(i);
  }
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  EXPECT_EQ(nth_in_place(values, 40'000), sorted[40'000]);
}

}  // namespace
}  // namespace perf

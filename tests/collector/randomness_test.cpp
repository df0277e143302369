#include "collector/randomness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace perf {
namespace {

TEST(PairDraw, IsAFunctionOfItsKey) {
  const PairDraw one = draw_pair(42, "w", 3, 1), same = draw_pair(42, "w", 3, 1);
  EXPECT_TRUE(one.first == same.first && one.base_padding == same.base_padding &&
              one.head_padding == same.head_padding && one.seed == same.seed);
}

TEST(PairDraw, DependsOnEveryPartOfTheKey) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const char* workload : {"a", "b", "ab"}) {
      for (int pair = 0; pair < 100; ++pair) {
        seeds.insert(draw_pair(seed, workload, pair, 1).seed);
      }
    }
  }
  EXPECT_EQ(seeds.size(), 3000u);
}

TEST(PairDraw, HasOneSeedForAPair) {
  EXPECT_EQ(draw_pair(1, "w", 5, 1).seed, draw_pair(1, "w", 5, 2).seed);
  int other_padding = 0;
  for (int pair = 0; pair < 100; ++pair) {
    other_padding +=
        draw_pair(1, "w", pair, 1).base_padding != draw_pair(1, "w", pair, 2).base_padding ? 1 : 0;
  }
  EXPECT_GT(other_padding, 90);
}

TEST(PairDraw, DrawsUniformAndIndependentPaddings) {
  constexpr int kDraws = 20000;
  double base = 0, head = 0, product = 0;
  int equal = 0;
  for (int pair = 0; pair < kDraws; ++pair) {
    const PairDraw draw = draw_pair(9, "w", pair, 1);
    ASSERT_TRUE(draw.base_padding >= 0 && draw.base_padding < kPaddingRange);
    ASSERT_TRUE(draw.head_padding >= 0 && draw.head_padding < kPaddingRange);
    base += draw.base_padding;
    head += draw.head_padding;
    product += static_cast<double>(draw.base_padding) * draw.head_padding;
    equal += draw.base_padding == draw.head_padding ? 1 : 0;
  }
  const double sd = kPaddingRange / std::sqrt(12.0);
  const double slack = 5 / std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(base / kDraws, kPaddingRange / 2.0, slack * sd);
  EXPECT_NEAR(head / kDraws, kPaddingRange / 2.0, slack * sd);
  const double correlation = (product / kDraws - base / kDraws * head / kDraws) / (sd * sd);
  EXPECT_NEAR(correlation, 0, slack);
  EXPECT_LT(equal, 20);
}

}  // namespace
}  // namespace perf

#include "analyzer/statistics/pair_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace perf {
namespace {

std::vector<double> autoregression(int count, double correlation, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (double value = normal(engine); count > 0; --count) {
    values.push_back(value);
    value = correlation * value + std::sqrt(1 - correlation * correlation) * normal(engine);
  }
  return values;
}

double share_widened(int count, double correlation) {
  std::mt19937_64 engine(20261126);
  constexpr int kSeries = 4000;
  int widened = 0;
  for (int i = 0; i < kSeries; ++i) {
    widened += pair_order(autoregression(count, correlation, engine)).widening > 1 ? 1 : 0;
  }
  return static_cast<double>(widened) / kSeries;
}

/// Pairs in all four places in turn, their differences by the processes that ran.
template <class Difference>
std::optional<OrderEffect> effect_of(const Difference& difference) {
  std::vector<PairPlace> places;
  std::vector<double> differences;
  for (int i = 0; i < 40; ++i) {
    places.push_back({i % 2 == 0, i % 4 < 2});
    differences.push_back(difference(places.back()) + 0.001 * (i % 3));
  }
  return order_effect(differences, places, 0.001);
}

TEST(OrderEffect, IsSeenInEachDivision) {
  EXPECT_FALSE(effect_of([](const PairPlace&) { return 0.1; }));
  const auto first = effect_of([](const PairPlace& place) { return place.base_first ? 0.2 : 0.0; });
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->one, 0.001, 0.001);
  EXPECT_NEAR(first->other, 0.201, 0.001);
  const auto head_after_base = [](const PairPlace& place) {
    return place.base_first || *place.after_base;
  };
  EXPECT_TRUE(
      effect_of([&](const PairPlace& place) { return head_after_base(place) ? 0.2 : 0.0; }));
  EXPECT_TRUE(effect_of([](const PairPlace& place) {  // base slows both
    return place.base_first != *place.after_base ? 0.2 : 0.0;
  }));
  EXPECT_TRUE(effect_of([](const PairPlace& place) {  // head slows base
    return place.base_first && *place.after_base ? 0.2 : 0.0;
  }));
  EXPECT_FALSE(order_effect(std::vector<double>(3, 0.1), std::vector<PairPlace>(3), 0.001));
}

TEST(PairOrder, MatchesItsFormula) {
  EXPECT_NEAR(share_widened(24, 0), 0.06, 0.015);
  EXPECT_NEAR(share_widened(24, 0.7), 0.93, 0.03);
  EXPECT_LT(share_widened(100, 0), 0.005);
  EXPECT_GT(share_widened(100, 0.7), 0.99);
}

TEST(PairOrder, WidensByTheCorrelation) {
  const std::vector<double> halves{1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2};
  const PairOrder order = pair_order(halves);
  EXPECT_EQ(order.correlation, 0.9);
  EXPECT_NEAR(order.widening, 4.9, 0.1);
  const std::vector<double> in_turns{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  EXPECT_EQ(pair_order(in_turns).widening, 1);
}

TEST(PairOrder, MissesCorrelationInFewPairs) {
  EXPECT_TRUE(may_be_correlated(std::vector<double>{1, 1.1, 1.2, 1.4, 1.3, 1.5, 1.7, 1.6}));
  EXPECT_FALSE(may_be_correlated(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_FALSE(may_be_correlated(std::vector<double>{}));
  std::vector<double> rising(kPairsThatTellOrder);
  for (std::size_t i = 0; i < rising.size(); ++i) {
    rising[i] = static_cast<double>(i);
  }
  EXPECT_FALSE(may_be_correlated(rising)) << "widened";
  EXPECT_TRUE(may_be_correlated(std::span(rising).first(16)));
}

TEST(PairOrder, IsNoneForEqualPairs) {
  EXPECT_EQ(pair_order({}).widening, 1);
  EXPECT_EQ(pair_order(std::vector<double>{1}).widening, 1);
  EXPECT_EQ(pair_order(std::vector<double>(20, 0.5)).widening, 1);
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"

namespace perf {
namespace {

std::vector<double> draw(std::size_t count, double mean, std::mt19937_64& random) {
  std::normal_distribution<double> normal(mean, 1);
  std::vector<double> values(count);
  std::generate(values.begin(), values.end(), [&] { return normal(random); });
  return values;
}

TEST(TwoSampleShift, EqualsSortedDifferences) {
  std::mt19937_64 random(5);
  for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{8, 8}, {8, 11}, {13, 9}}) {
    const std::vector<double> base = draw(m, 0, random), head = draw(n, 2, random);
    std::vector<double> differences;
    for (const double y : head) {
      for (const double x : base) {
        differences.push_back(y - x);
      }
    }
    std::sort(differences.begin(), differences.end());
    const double alpha = 0.05;
    const auto k =
        static_cast<std::size_t>(mann_whitney_k(static_cast<int>(m), static_cast<int>(n), alpha));
    const auto found = estimate_two_sample_shift(base, head, alpha);
    ASSERT_TRUE(found);
    const double estimate = median(differences);
    EXPECT_DOUBLE_EQ(found->shift.estimate, estimate);
    EXPECT_DOUBLE_EQ(two_sample_estimate(base, head), estimate);
    const double widening = found->noise.widening;
    EXPECT_NEAR(found->shift.low, estimate - widening * (estimate - differences[k - 1]), 1e-12);
    EXPECT_NEAR(found->shift.high,
                estimate + widening * (differences[differences.size() - k] - estimate), 1e-12);
    EXPECT_LT(found->shift.low, estimate);
  }
}

// The interval of independent sessions, exactly: it misses a shift of 0 just where the test
// rejects, and of all C(16, 8) arrangements of ranks at most alpha does that.
TEST(TwoSampleShift, MissesAtMostAlphaOfAllArrangements) {
  const double alpha = 0.05;
  int missed = 0, all = 0;
  for (unsigned arrangement = 0; arrangement < (1u << 16); ++arrangement) {
    std::vector<double> base, head;
    for (unsigned rank = 0; rank < 16; ++rank) {
      ((arrangement >> rank & 1u) != 0 ? base : head).push_back(rank);
    }
    if (base.size() != 8) {
      continue;
    }
    ++all;
    std::vector<double> differences;
    for (const double y : head) {
      for (const double x : base) {
        differences.push_back(y - x);
      }
    }
    std::sort(differences.begin(), differences.end());
    const auto k = static_cast<std::size_t>(mann_whitney_k(8, 8, alpha));
    missed += differences[k - 1] > 0 || differences[64 - k] < 0 ? 1 : 0;
  }
  EXPECT_EQ(all, 12870);
  EXPECT_LE(missed, alpha * all);
  EXPECT_GT(missed, 0.8 * alpha * all) << "and not many fewer: U is fine-grained here";
}

TEST(TwoSampleShift, NeedsEightSessionsASide) {
  std::mt19937_64 random(6);
  EXPECT_FALSE(estimate_two_sample_shift(draw(7, 0, random), draw(30, 0, random), 0.01));
  EXPECT_FALSE(estimate_two_sample_shift(draw(30, 0, random), draw(7, 0, random), 0.01));
  EXPECT_TRUE(estimate_two_sample_shift(draw(8, 0, random), draw(8, 0, random), 0.01));
  EXPECT_FALSE(estimate_two_sample_shift(draw(8, 0, random), draw(8, 0, random), 1e-5));
  EXPECT_EQ(fewest_sessions(0.01), 8);
  EXPECT_EQ(fewest_sessions(1e-4), 9);
}

TEST(TwoSampleShift, EqualsTheDifferenceOfOneSessionASide) {
  EXPECT_EQ(two_sample_estimate(std::vector<double>{1}, std::vector<double>{1.25}), 0.25);
}

/// A first-order autoregression of variance 1 about `mean`.
std::vector<double> sessions(std::size_t count, double correlation, double mean,
                             std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values;
  double state = normal(random);
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(mean + state);
    state = correlation * state + std::sqrt(1 - correlation * correlation) * normal(random);
  }
  return values;
}

TEST(SessionNoise, BoundsTheCorrelationFromAbove) {
  for (const double truth : {0.0, 0.3, 0.6, 0.9}) {
    std::mt19937_64 random(4711);
    int below = 0;
    for (int i = 0; i < 1000; ++i) {
      const SessionNoise noise =
          session_noise(sessions(12, truth, 0, random), sessions(9, truth, 5, random));
      below += noise.correlation < truth ? 1 : 0;
    }
    // Of very many sessions it would be 1 %.
    EXPECT_LE(below, 80) << truth;
  }
}

TEST(SessionNoise, WidensLessTheMoreSessionsThereAre) {
  std::mt19937_64 random(1);
  double last = 1e9;
  for (const std::size_t count : {8u, 30u, 200u, 2000u}) {
    double widening = 0;
    for (int i = 0; i < 50; ++i) {
      widening +=
          session_noise(sessions(count, 0, 0, random), sessions(count, 0, 0, random)).widening / 50;
    }
    EXPECT_GE(widening, 1);
    EXPECT_LT(widening, last);
    last = widening;
  }
  EXPECT_LT(last, 1.1);
}

TEST(SessionNoise, ComesToTheKnownWideningOfALongSeries) {
  std::mt19937_64 random(2);
  const SessionNoise noise =
      session_noise(sessions(20000, 0.5, 0, random), sessions(20000, 0.5, 0, random));
  EXPECT_NEAR(noise.correlation, 0.5, 0.03);
  EXPECT_NEAR(noise.widening, std::sqrt(3.0), 0.1);  // (1 + rho) / (1 - rho) = 3
}

TEST(SessionNoise, DoesNotTakeTheChangeForCorrelation) {
  const std::vector<double> base{1, 2, 1, 2, 1, 2, 1, 2},
      head{101, 102, 101, 102, 101, 102, 101, 102};
  EXPECT_EQ(session_noise(base, head).correlation, 0);
  EXPECT_EQ(session_noise(base, head).widening, 1);
}

TEST(SessionNoise, IsNoneForEqualSessions) {
  const std::vector<double> same(9, std::log(7.0));  // whose mean is rounded
  EXPECT_EQ(session_noise(same, same).widening, 1);
}

TEST(SessionNoise, IsLargeForADrift) {
  const std::vector<double> drift{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(session_noise(drift, drift).correlation, 0.99);
  EXPECT_GT(session_noise(drift, drift).widening, 10);
}

TEST(Halves, MatchAShiftComputedByHand) {
  const auto halves = halves_shift(std::vector<double>{1, 2, 3, 11, 12, 13}, 0.1);
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->first, 2);
  EXPECT_EQ(halves->second, 12);
  EXPECT_EQ(halves->shift, 10);
  EXPECT_EQ(halves->low, 8);    // k = 1: from 11 - 3
  EXPECT_EQ(halves->high, 12);  // to 13 - 1
}

TEST(Halves, PutTheMiddleIntoTheSecondHalf) {
  EXPECT_EQ(halves_shift(std::vector<double>{0, 0, 0, 0, 5, 5, 5, 5, 5}, 0.05)->shift, 5);
}

TEST(Halves, GiveNothingForTooFewPairs) {
  EXPECT_FALSE(halves_shift(std::vector<double>{1, 2, 3, 11, 12, 13}, 0.09));
  EXPECT_FALSE(halves_shift(std::vector<double>{}, 0.5));
  EXPECT_FALSE(halves_shift(std::vector<double>{1}, 0.5));
}

TEST(Halves, AgreeWhenEqual) {
  const auto halves = halves_shift(std::vector<double>{1, 2, 3, 4, 5, 5, 4, 3, 2, 1}, 0.05);
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->shift, 0);
  EXPECT_LT(halves->low, 0);
  EXPECT_GT(halves->high, 0);
}

}  // namespace
}  // namespace perf

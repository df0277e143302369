#include "analyzer/statistics/session_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace perf {
namespace {

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

TEST(SessionNoise, OfSessionsThatAgreeIsNone) {
  const std::vector<double> same(9, std::log(7.0));  // whose mean is rounded
  EXPECT_EQ(session_noise(same, same).widening, 1);
}

TEST(SessionNoise, OfADriftIsLarge) {
  const std::vector<double> drift{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(session_noise(drift, drift).correlation, 0.99);
  EXPECT_GT(session_noise(drift, drift).widening, 10);
}

}  // namespace
}  // namespace perf

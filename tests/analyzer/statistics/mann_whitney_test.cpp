#include "analyzer/statistics/mann_whitney.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace perf {
namespace {

/// P(U <= u) by listing every arrangement of m x's and n y's.
std::vector<double> by_enumeration(int m, int n) {
  std::vector<double> counts(static_cast<std::size_t>(m * n) + 1, 0.0);
  double all = 0;
  for (unsigned arrangement = 0; arrangement < (1u << (m + n)); ++arrangement) {
    int xs = 0, u = 0;  // a set bit is an x
    for (int place = 0; place < m + n; ++place) {
      if ((arrangement >> place & 1u) != 0) {
        ++xs;
      } else {
        u += xs;
      }
    }
    if (xs == m) {
      ++counts[static_cast<std::size_t>(u)];
      ++all;
    }
  }
  double below = 0;
  for (double& count : counts) {
    below += count;
    count = below / all;
  }
  return counts;
}

TEST(MannWhitney, EqualsEnumeration) {
  for (int m = 1; m <= 6; ++m) {
    for (int n = 1; n <= 6; ++n) {
      const std::vector<double> expected = by_enumeration(m, n);
      for (int u = 0; u <= m * n; ++u) {
        EXPECT_NEAR(mann_whitney_cdf(m, n, u), expected[static_cast<std::size_t>(u)], 1e-12)
            << m << " " << n << " " << u;
      }
    }
  }
}

TEST(MannWhitney, EndsAtZeroAndOne) {
  EXPECT_EQ(mann_whitney_cdf(8, 9, -1), 0);
  EXPECT_EQ(mann_whitney_cdf(8, 9, 72), 1);
  EXPECT_EQ(mann_whitney_cdf(80, 90, -1), 0);
  EXPECT_EQ(mann_whitney_cdf(80, 90, 7200), 1);
}

// The critical values in every table of the test: the largest U that is significant, two-sided.
TEST(MannWhitney, HasTheTablesCriticalValues) {
  EXPECT_EQ(mann_whitney_k(8, 8, 0.05), 13 + 1);
  EXPECT_EQ(mann_whitney_k(8, 8, 0.01), 7 + 1);
  EXPECT_EQ(mann_whitney_k(10, 10, 0.05), 23 + 1);
  EXPECT_EQ(mann_whitney_k(8, 12, 0.05), 22 + 1);
  EXPECT_EQ(mann_whitney_k(12, 8, 0.05), 22 + 1);
  EXPECT_EQ(mann_whitney_k(20, 20, 0.05), 127 + 1);
}

TEST(MannWhitney, GivesNoIntervalWhereNoneExists) {
  EXPECT_EQ(mann_whitney_k(3, 3, 0.05), 0);
  EXPECT_EQ(mann_whitney_k(0, 3, 0.05), 0);
  EXPECT_EQ(mann_whitney_k(8, 8, 1e-4), 0);  // 2 / C(16, 8) = 1.6e-4
  EXPECT_EQ(mann_whitney_k(8, 8, 2e-4), 1);
}

// Beyond kExactSessions the approximation may only make the interval wider.
TEST(MannWhitney, ApproximatesOnTheSafeSide) {
  for (const double alpha : {0.01, 4e-4, 1e-5}) {
    const auto exact = static_cast<double>(mann_whitney_k(50, 50, alpha));
    const double deviation = std::sqrt(50.0 * 50 * 101 / 12);
    EXPECT_LE(mann_whitney_k(50, 51, alpha) - 25, exact) << alpha;
    EXPECT_NEAR(static_cast<double>(mann_whitney_k(50, 51, alpha)) - 25, exact, deviation / 2);
  }
}

}  // namespace
}  // namespace perf

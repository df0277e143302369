#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "analyzer/statistics/shift.h"

namespace perf {
namespace {

// P(T+ <= t) by walking all 2^n sign patterns.
std::vector<double> brute_force_cdf(int pairs) {
  std::vector<double> cdf(static_cast<std::size_t>(walsh_count(pairs)) + 1, 0.0);
  const unsigned patterns = 1u << pairs;
  for (unsigned pattern = 0; pattern < patterns; ++pattern) {
    std::size_t sum = 0;
    for (int rank = 1; rank <= pairs; ++rank) {
      sum += (pattern >> (rank - 1) & 1u) != 0 ? static_cast<std::size_t>(rank) : 0;
    }
    cdf[sum] += 1.0 / patterns;
  }
  for (std::size_t t = 1; t < cdf.size(); ++t) {
    cdf[t] += cdf[t - 1];
  }
  return cdf;
}

TEST(SignedRank, IsTheCountOfSignPatterns) {
  for (int pairs = 1; pairs <= 12; ++pairs) {
    const std::vector<double> expected = brute_force_cdf(pairs);
    for (std::size_t t = 0; t < expected.size(); ++t) {
      ASSERT_NEAR(signed_rank_cdf(pairs, static_cast<std::int64_t>(t)), expected[t], 1e-12)
          << pairs << " pairs, t " << t;
    }
  }
}

TEST(SignedRank, IsZeroBelowAndOneAbove) {
  EXPECT_EQ(signed_rank_cdf(10, -1), 0);
  EXPECT_EQ(signed_rank_cdf(10, 55), 1);
  EXPECT_EQ(signed_rank_cdf(10, 1000), 1);
}

// Largest t with P(T+ <= t) <= one-sided level, as printed in the usual tables (Wilcoxon & Wilcox
// 1964); k counts t = 0 as well.
TEST(SignedRank, HasTheCriticalValuesOfTheTables) {
  struct Row {
    int pairs;
    std::int64_t at_5, at_2, at_1;  // two-sided 0.05, 0.02, 0.01
  };
  for (const Row row : {Row{8, 3, 1, 0}, Row{10, 8, 5, 3}, Row{12, 13, 9, 7}, Row{15, 25, 19, 15},
                        Row{20, 52, 43, 37}, Row{25, 89, 76, 68}, Row{30, 137, 120, 109}}) {
    EXPECT_EQ(signed_rank_k(row.pairs, 0.05) - 1, row.at_5) << row.pairs;
    EXPECT_EQ(signed_rank_k(row.pairs, 0.02) - 1, row.at_2) << row.pairs;
    EXPECT_EQ(signed_rank_k(row.pairs, 0.01) - 1, row.at_1) << row.pairs;
  }
}

TEST(SignedRank, HasNoIntervalForTooFewPairs) {
  EXPECT_EQ(signed_rank_k(0, 0.05), 0);
  EXPECT_EQ(signed_rank_k(5, 0.05), 0);
  EXPECT_EQ(signed_rank_k(6, 0.05), 1);
  EXPECT_EQ(signed_rank_k(11, std::ldexp(1, -10)), 1);  // exactly 2^(1-n) is enough
  EXPECT_EQ(signed_rank_k(10, std::ldexp(1, -10)), 0);
}

TEST(SignedRank, NeverLetsTheIntervalEndsCross) {
  for (int pairs = 1; pairs <= 40; ++pairs) {
    EXPECT_LE(2 * signed_rank_k(pairs, 1.0), walsh_count(pairs) + 1) << pairs;
  }
}

TEST(SignedRank, StaysAProbabilityForHundredsOfPairs) {
  for (const int pairs : {100, kExactPairs}) {
    const std::int64_t count = walsh_count(pairs);
    EXPECT_DOUBLE_EQ(signed_rank_cdf(pairs, 0), std::ldexp(1, -pairs));
    double before = 0;
    for (std::int64_t t = 0; t <= count; t += count / 97) {
      const double now = signed_rank_cdf(pairs, t);
      ASSERT_GE(now, before);
      ASSERT_NEAR(now + signed_rank_cdf(pairs, count - t - 1), 1, 1e-12);
      before = now;
    }
  }
}

// Where the exact distribution gives way, the approximation must neither jump nor turn bold.
TEST(SignedRank, ApproximatesBeyondTheExactRangeConservatively) {
  for (const double level : {0.01, 0.01 / 6, 0.01 / 300, 0.01 / 6000}) {
    const int n = kExactPairs;
    const auto share = [&](int pairs) {
      return static_cast<double>(signed_rank_k(pairs, level)) /
             static_cast<double>(walsh_count(pairs));
    };
    const double slope = share(n) - share(n - 1);
    EXPECT_NEAR(share(n + 1), share(n) + slope, 0.002) << level;
    EXPECT_LE(share(n + 1), share(n) + 2 * slope) << level;
  }
}

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

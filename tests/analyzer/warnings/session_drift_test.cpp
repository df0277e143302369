#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analyzer/warnings/row_warnings.h"

namespace perf {
namespace {

TEST(SessionDrift, EqualsTheRiseOfALine) {
  const auto drift = session_drift(std::vector<double>{1, 3, 5, 7, 9, 11});
  ASSERT_TRUE(drift);
  EXPECT_DOUBLE_EQ(drift->size, 10);
  // S = 15, variance 6 * 5 * 17 / 18 = 28.33: z = 14 / 5.323 = 2.630, two-sided p = 0.00853.
  EXPECT_NEAR(drift->p_value, 0.00853, 0.00005);
}

TEST(SessionDrift, ResistsAnOutlier) {
  const auto drift = session_drift(std::vector<double>{1, 2, 3, 4, 500, 6, 7, 8, 9, 10, 11});
  EXPECT_NEAR(drift->size, 10, 0.5);
}

TEST(SessionDrift, IsLessSignificantWithTies) {
  const auto with_ties = session_drift(std::vector<double>{1, 1, 1, 2, 2, 2});
  const auto without = session_drift(std::vector<double>{1, 2, 3, 4, 5, 6});
  EXPECT_GT(with_ties->p_value, without->p_value);
  const auto constant = session_drift(std::vector<double>{4, 4, 4, 4});
  EXPECT_EQ(constant->size, 0);
  EXPECT_EQ(constant->p_value, 1);
}

// All orders of seven values: the approximation must not call a trend more often than the exact
// distribution allows.
TEST(SessionDrift, PValueIsConservative) {
  std::vector<double> values{1, 2, 3, 4, 5, 6, 7};
  std::vector<double> p_values;
  do {
    p_values.push_back(session_drift(values)->p_value);
  } while (std::next_permutation(values.begin(), values.end()));
  for (const double level : {0.05, 0.01, 0.004}) {
    const auto below =
        std::count_if(p_values.begin(), p_values.end(), [level](double p) { return p <= level; });
    EXPECT_LE(static_cast<double>(below), level * static_cast<double>(p_values.size())) << level;
  }
}

TEST(SessionDrift, NeedsThreeValues) {
  EXPECT_FALSE(session_drift(std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace perf

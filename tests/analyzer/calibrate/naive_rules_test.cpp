#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/calibrate/calibration.h"

namespace perf {
namespace {

std::vector<PairedSample> pairs_of(const std::vector<std::pair<double, double>>& values) {
  std::vector<PairedSample> pairs;
  for (const auto& [base, head] : values) {
    pairs.push_back({{base, nullptr}, {head, nullptr}});
  }
  return pairs;
}

TEST(NaiveRules, CompareOneRunOfEachSide) {
  const NaiveDistances distances = naive_distances(pairs_of({{1, 1}, {1, 1.1}, {1.2, 1}}));
  ASSERT_EQ(distances.one_run.size(), 3U);
  EXPECT_DOUBLE_EQ(distances.one_run[0], 0);
  EXPECT_NEAR(distances.one_run[1], std::log(1.1), 1e-12);
  EXPECT_NEAR(distances.one_run[2], std::log(1.2), 1e-12);
  EXPECT_TRUE(distances.five_runs.empty());
  EXPECT_NEAR(*share_beyond(distances.one_run, 0.10), 2.0 / 3, 1e-12);
  EXPECT_NEAR(*share_beyond(distances.one_run, 0.15), 1.0 / 3, 1e-12);
  EXPECT_FALSE(share_beyond(distances.five_runs, 0.10).has_value());
}

// The machine slows by 20 % after five pairs: each pair is quiet, and who measures one side first
// cries.
TEST(NaiveRules, MeasuringOneSideFirstTakesADriftForAChange) {
  std::vector<std::pair<double, double>> values(5, {1.0, 1.0});
  values.resize(11, {1.2, 1.2});
  const NaiveDistances distances = naive_distances(pairs_of(values));
  EXPECT_EQ(share_beyond(distances.one_run, 0.01), 0);
  ASSERT_EQ(distances.five_runs.size(), 2U);
  EXPECT_NEAR(distances.five_runs[0], std::log(1.2), 1e-12);
  EXPECT_NEAR(distances.five_runs[1], std::log(1.2 / 1.04), 1e-12);
  EXPECT_EQ(share_beyond(distances.five_runs, 0.10), 1);
}

}  // namespace
}  // namespace perf

#include "analyzer/statistics/two_clusters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace perf {
namespace {

int found_in(int samples, int count, const std::function<double()>& draw) {
  int found = 0;
  std::vector<double> values(static_cast<std::size_t>(count));
  for (int i = 0; i < samples; ++i) {
    for (double& value : values) {
      value = draw();
    }
    found += two_clusters(values) ? 1 : 0;
  }
  return found;
}

TEST(TwoClusters, DescribeTheGroups) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) {
    values.push_back((i % 4 == 0 ? 1.0 : 2.0) + 0.001 * i);
  }
  const auto clusters = two_clusters(values);
  ASSERT_TRUE(clusters);
  EXPECT_NEAR(clusters->low, 1.008, 1e-12);
  EXPECT_NEAR(clusters->high, 2.0 + 0.001 * 150 / 15, 1e-12);
  EXPECT_NEAR(clusters->high_share, 0.75, 1e-12);
  EXPECT_GT(clusters->explained, 0.99);
}

TEST(TwoClusters, IgnoreAFewOutliers) {
  std::vector<double> values(30, 1.0);
  for (int i = 0; i < 30; ++i) {
    values[static_cast<std::size_t>(i)] += 0.001 * i;
  }
  values[3] = values[14] = values[22] = 9;
  EXPECT_FALSE(two_clusters(values));
}

TEST(TwoClusters, AreNoneForConstantsAndFewValues) {
  EXPECT_FALSE(two_clusters(std::vector<double>(40, 3.0)));
  EXPECT_FALSE(two_clusters(std::vector<double>{1, 1, 1, 1, 1, 2, 2, 2, 2, 2}));
  EXPECT_TRUE(two_clusters(std::vector<double>{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
  EXPECT_FALSE(two_clusters(std::vector<double>{}));
}

// One hump of any shape: of 20,000 samples at a true rate of 3 in 100,000 0.6 are expected, and 4
// or more once in 300 times.
TEST(TwoClusters, AreNotFoundInOneMode) {
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> exponential;
  for (const int count : {11, 15, 24, 47, 108}) {
    EXPECT_LE(found_in(20'000, count, [&] { return uniform(engine); }), 3) << count;
    EXPECT_LE(found_in(20'000, count, [&] { return exponential(engine); }), 3) << count;
    EXPECT_LE(found_in(20'000, count, [&] { return normal(engine); }), 1) << count;
    EXPECT_LE(
        found_in(20'000, count, [&] { return normal(engine) / (0.1 + std::abs(normal(engine))); }),
        1)
        << count;
  }
}

// Half of the values 16 deviations away are seen from the first look on, 7 from 47 pairs on.
TEST(TwoClusters, AreFoundInTwoModes) {
  std::mt19937_64 engine(12);
  std::normal_distribution<double> normal;
  const auto groups = [&](double apart) {
    return
        [&engine, &normal, apart] { return normal(engine) + ((engine() >> 63) != 0 ? apart : 0); };
  };
  EXPECT_GE(found_in(1000, 15, groups(16)), 800);
  EXPECT_GE(found_in(1000, 47, groups(7)), 950);
}

}  // namespace
}  // namespace perf

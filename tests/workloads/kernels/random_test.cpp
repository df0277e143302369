#include "workloads/kernels/random.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace perf::workloads {
namespace {

struct Moments {
  double mean, deviation;
};

Moments moments(const std::vector<float>& values) {
  double sum = 0, squares = 0;
  for (const float value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const auto n = static_cast<double>(values.size());
  return {sum / n, std::sqrt(squares / n - sum / n * sum / n)};
}

constexpr std::size_t kCount = 1'000'000;  // standard error of a mean: 0.001 deviations

TEST(Random, UniformHasItsMoments) {
  std::vector<float> values(kCount);
  fill_uniform(values.data(), kCount, 3, 2);
  EXPECT_NEAR(moments(values).mean, 0, 0.01);
  EXPECT_NEAR(moments(values).deviation, 2 / std::sqrt(3), 0.01);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -2);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 2);
}

TEST(Random, NormalHasItsMomentsAndTails) {
  std::vector<float> values(kCount);
  fill_normal(values.data(), kCount, 3, 0.02F);
  EXPECT_NEAR(moments(values).mean, 0, 1e-4);
  EXPECT_NEAR(moments(values).deviation, 0.02, 2e-4);
  const auto beyond = std::count_if(values.begin(), values.end(),
                                    [](float value) { return std::abs(value) > 0.04F; });
  EXPECT_NEAR(static_cast<double>(beyond) / kCount, 0.0455, 0.01);  // two deviations of a normal
}

TEST(Random, DependsOnTheSeedAndNotOnTheThreads) {
  const int threads = omp_get_max_threads();
  std::vector<float> one(1000), many(1000), other(1000);
  omp_set_num_threads(1);
  fill_normal(one.data(), one.size(), derived_seed(1, 0), 1);
  omp_set_num_threads(3);
  fill_normal(many.data(), many.size(), derived_seed(1, 0), 1);
  fill_normal(other.data(), other.size(), derived_seed(2, 0), 1);
  omp_set_num_threads(threads);
  EXPECT_EQ(one, many);
  EXPECT_NE(one, other);
}

TEST(Random, APartIsTheSameAsInTheWhole) {
  std::vector<float> whole(40'000), part(20'000);  // more than a thread takes at a time
  fill_normal(whole.data(), whole.size(), 5, 1);
  fill_normal_part(part.data(), 10'001, part.size(), 5, 1);
  EXPECT_EQ(part, std::vector<float>(whole.begin() + 10'001, whole.begin() + 30'001));
}

}  // namespace
}  // namespace perf::workloads

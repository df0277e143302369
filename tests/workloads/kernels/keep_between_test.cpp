#include "workloads/kernels/keep_between.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/workloads/random_values.h"

namespace perf::workloads {
namespace {

TEST(KeepBetween, MatchesTheAlgorithm) {
  for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 15U, 16U, 17U, 1000U}) {
    for (const float high : {-2.0F, -0.5F, 0.9F, 2.0F}) {
      const std::vector<float> values = random_values(count, static_cast<std::uint32_t>(count));
      std::vector<float> want, kept(count + 1, 7);
      std::copy_if(values.begin(), values.end(), std::back_inserter(want),
                   [high](float value) { return value >= -0.5F && value < high; });
      kept.resize(count + 1);
      const std::size_t size = keep_between(values.data(), count, -0.5F, high, kept.data());
      EXPECT_EQ(kept[count], 7) << "past the room";
      EXPECT_EQ(std::vector<float>(kept.begin(), kept.begin() + static_cast<long>(size)), want);

      std::vector<float> in_place = values;
      ASSERT_EQ(keep_between(in_place.data(), count, -0.5F, high, in_place.data()), want.size());
      in_place.resize(want.size());
      EXPECT_EQ(in_place, want);
    }
  }
}

TEST(KeepBetween, HoldsTheLowEndAndNotTheHighOne) {
  const std::vector<float> values(40, 0.5F);
  std::vector<float> kept(40);
  EXPECT_EQ(keep_between(values.data(), 40, 0.5F, 1, kept.data()), 40U);
  EXPECT_EQ(keep_between(values.data(), 40, 0, 0.5F, kept.data()), 0U);
  const std::vector<float> nans(40, std::nanf(""));
  EXPECT_EQ(keep_between(nans.data(), 40, 0, 1, kept.data()), 0U);
}

}  // namespace
}  // namespace perf::workloads

#include "workloads/kernels/largest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/workloads/random_values.h"

namespace perf::workloads {
namespace {

TEST(Largest, MatchesTheAlgorithms) {
  for (const std::size_t count : {1U, 2U, 15U, 1000U}) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      std::vector<float> values = random_values(count, seed, 3);
      if (seed % 2 == 1) {
        for (float& value : values) {
          value -= 10;  // all negative
        }
      }
      float magnitude = 0;
      for (const float value : values) {
        magnitude = std::max(magnitude, std::abs(value));
      }
      EXPECT_EQ(largest_magnitude(values.data(), count), magnitude);
    }
  }
  const float zeros[] = {-0.0F, 0.0F};
  EXPECT_EQ(largest_magnitude(zeros, 2), 0);
}

}  // namespace
}  // namespace perf::workloads

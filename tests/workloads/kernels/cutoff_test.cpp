#include "workloads/kernels/cutoff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/workloads/random_values.h"
#include "tests/workloads/threads.h"

namespace perf::workloads {
namespace {

constexpr float kLeast = std::numeric_limits<float>::min();

float cutoff(const std::vector<float>& values, Cutoff::Worth worth, double wanted,
             float least = kLeast) {
  Ledger counted;
  Cutoff(values.size(), counted);
  Ledger memory(counted);
  return Cutoff(values.size(), memory).find(values.data(), worth, wanted, least);
}

std::vector<float> falling(std::vector<float> values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

double sum(const std::vector<float>& values) {
  double total = 0;
  for (const float value : values) {
    total += value;
  }
  return total;
}

// What a softmax makes of random logits: values over many powers of two, the largest 1.
std::vector<float> peaked_values(std::size_t count, std::uint32_t seed, float bound) {
  std::vector<float> values = random_values(count, seed, bound);
  const float largest = *std::max_element(values.begin(), values.end());
  for (float& value : values) {
    value = std::exp(value - largest);
  }
  return values;
}

// Where a sorted list reaches `wanted`, give or take what sums in single precision are off by.
void expect_reaches(const std::vector<float>& values, double wanted, float got) {
  constexpr double kRounding = 2e-6;  // of a sum: 128 terms in single precision in each lane
  const std::vector<float> sorted = falling(values);
  const double slack = kRounding * sum(values);
  double reached = 0;
  for (std::size_t i = 0; i < sorted.size() && sorted[i] > got; ++i) {
    reached += sorted[i];
  }
  EXPECT_LT(reached, wanted + slack) << "too many are kept";
  for (const float value : sorted) {
    reached += value == got ? value : 0;
  }
  EXPECT_GE(reached, wanted - slack) << "too few are kept";
  EXPECT_TRUE(std::binary_search(sorted.begin(), sorted.end(), got, std::greater<>()));
}

// Below a vector, below what is sorted at once, one chunk, a chunk and a value, several rounds.
const std::vector<std::size_t> kCounts = {1, 5, 200, 300, 2048, 2049, 40'000, 151'936};

TEST(Cutoff, MatchesSortingForASum) {
  for (const std::size_t count : kCounts) {
    for (const float bound : {0.01F, 2.0F, 12.0F, 60.0F}) {
      const std::vector<float> values = peaked_values(count, 1, bound);
      for (const double share : {1e-6, 0.1, 0.9, 0.999}) {
        SCOPED_TRACE(testing::Message() << count << " values, bound " << bound << ", " << share);
        const double wanted = share * sum(values);
        const auto least = static_cast<float>(0.99 * (1 - share) * sum(values) / count);
        expect_reaches(values, wanted, cutoff(values, Cutoff::Worth::value, wanted, least));
        expect_reaches(values, wanted, cutoff(values, Cutoff::Worth::value, wanted));
      }
    }
  }
}

TEST(Cutoff, IsExactForANumber) {
  for (const std::size_t count : kCounts) {
    const std::vector<float> values = peaked_values(count, 2, 20);
    const std::vector<float> sorted = falling(values);
    for (const std::size_t k : {std::size_t{1}, count / 3 + 1, count - count / 50}) {
      EXPECT_EQ(cutoff(values, Cutoff::Worth::one, static_cast<double>(k)), sorted[k - 1])
          << k << " of " << count;
    }
  }
}

TEST(Cutoff, IsTheValueOfEqualValues) {
  for (const std::size_t count : kCounts) {
    std::vector<float> values(count, 0.25F);
    EXPECT_EQ(cutoff(values, Cutoff::Worth::value, 0.1 * static_cast<double>(count)), 0.25F);
    EXPECT_EQ(cutoff(values, Cutoff::Worth::one, 1), 0.25F);
    values[count / 2] = 1;
    EXPECT_EQ(cutoff(values, Cutoff::Worth::one, 1), 1);
    if (count > 1) {
      EXPECT_EQ(cutoff(values, Cutoff::Worth::one, 2), 0.25F);
    }
  }
}

// One bit apart, and at the ends of what there is: the most rounds.
TEST(Cutoff, SeparatesNeighbours) {
  std::vector<float> values(5000, kLeast);
  std::fill(values.begin(), values.begin() + 1000, 1.0F);
  std::fill(values.begin() + 1000, values.begin() + 2000, std::nextafter(1.0F, 0.0F));
  std::fill(values.begin() + 2000, values.begin() + 3000, 0x1p-60F);
  EXPECT_EQ(cutoff(values, Cutoff::Worth::one, 1000), 1);
  EXPECT_EQ(cutoff(values, Cutoff::Worth::one, 1001), std::nextafter(1.0F, 0.0F));
  EXPECT_EQ(cutoff(values, Cutoff::Worth::one, 2001), 0x1p-60F);
  EXPECT_EQ(cutoff(values, Cutoff::Worth::one, 3001), kLeast);
  EXPECT_EQ(cutoff(values, Cutoff::Worth::value, 999.5), 1);
  EXPECT_EQ(cutoff(values, Cutoff::Worth::value, 1001), std::nextafter(1.0F, 0.0F));
}

// Each on a rung of the last ladder.
TEST(Cutoff, SeparatesManyNeighbours) {
  std::vector<float> falling_values;
  for (float value = 0.3F; falling_values.size() < 40; value = std::nextafter(value, 0.0F)) {
    falling_values.push_back(value);
  }
  std::vector<float> values;
  for (int copy = 0; copy < 100; ++copy) {
    values.insert(values.end(), falling_values.begin(), falling_values.end());
  }
  for (std::size_t i = 0; i < falling_values.size(); ++i) {
    const auto wanted = static_cast<double>(100 * i + 1);
    EXPECT_EQ(cutoff(values, Cutoff::Worth::one, wanted), falling_values[i]) << i;
    EXPECT_EQ(cutoff(values, Cutoff::Worth::one, wanted + 99), falling_values[i]) << i;
  }
}

TEST(Cutoff, KeepsEverythingWhereTheSumIsNotReached) {
  std::vector<float> values(1000, 0.5F);
  std::fill(values.begin() + 500, values.end(), 0.0F);
  for (const float got :
       {cutoff(values, Cutoff::Worth::one, 700), cutoff(values, Cutoff::Worth::value, 1e9)}) {
    EXPECT_LE(got, 0.5F);
    EXPECT_GE(got, kLeast);
  }
}

TEST(Cutoff, DoesNotDependOnThreads) {
  const std::vector<float> values = peaked_values(151'936, 3, 4);
  expect_same_on_any_threads(
      [&] { return cutoff(values, Cutoff::Worth::value, 0.9 * sum(values)); });
}

}  // namespace
}  // namespace perf::workloads

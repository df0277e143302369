#include "workloads/kernels/largest_logits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/workloads/random_values.h"
#include "tests/workloads/threads.h"

namespace perf::workloads {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Found {
  explicit Found(const std::vector<float>& logits)
      : counted_of(logits.size()), memory(counted_of), largest(logits.size(), true, memory) {
    largest.scan(logits.data());
  }

  // Tokens; of a bound that is of no use: one that does not exist.
  std::vector<std::size_t> tokens(std::size_t k) {
    std::size_t found = 0;
    const LargestLogits::Candidate* candidates = largest.candidates(k, found);
    if (candidates == nullptr) {
      return {SIZE_MAX};
    }
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < found; ++i) {
      all.push_back(candidates[i].token);
    }
    return all;
  }

  struct Counted : Ledger {
    explicit Counted(std::size_t count) { LargestLogits(count, true, *this); }
  } counted_of;
  Ledger memory;
  LargestLogits largest;
};

// By sorting: those that reach the k-th largest.
std::vector<std::size_t> sorted_tokens(const std::vector<float>& logits, std::size_t k) {
  std::vector<float> falling = logits;
  std::sort(falling.begin(), falling.end(), std::greater<>());
  std::vector<std::size_t> tokens;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (logits[i] >= falling[k - 1]) {
      tokens.push_back(i);
    }
  }
  return tokens;
}

TEST(LargestLogits, FindsTheFirstLargest) {
  for (const std::size_t count : {1U, 2U, 15U, 17U, 2048U, 2051U, 40'000U}) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      std::vector<float> logits = random_values(count, seed, 9);
      if (seed % 2 == 1) {
        for (float& logit : logits) {
          logit -= 100;  // all negative
        }
      }
      if (seed % 3 == 1) {
        const float largest = *std::max_element(logits.begin(), logits.end());
        logits[count / 3] = logits[count / 2] = largest;
      }
      const auto want = std::max_element(logits.begin(), logits.end());
      const Found found(logits);
      EXPECT_EQ(found.largest.largest(), *want);
      EXPECT_EQ(found.largest.first_largest(), static_cast<std::size_t>(want - logits.begin()));
      EXPECT_FALSE(found.largest.has_nan());
    }
  }
}

TEST(LargestLogits, CandidatesMatchSorting) {
  for (const std::size_t count : {17U, 2048U, 2051U, 40'000U, 151'936U}) {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      std::vector<float> logits = random_values(count, seed, 9);
      if (seed == 3)  // the largest in one chunk
      {
        std::sort(logits.begin(), logits.end());
      }
      if (seed == 4)  // many equal ones, at the border as well
      {
        for (float& logit : logits) {
          logit = std::round(logit * 100);
        }
      }
      const std::size_t half_of_groups = (count + 2047) / 2048 * 8;
      const std::size_t most = seed == 3 ? 8 : half_of_groups;
      for (const std::size_t k : {std::size_t{1}, std::size_t{7}, most}) {
        EXPECT_EQ(Found(logits).tokens(k), sorted_tokens(logits, k))
            << k << " of " << count << ", seed " << seed;
      }
    }
  }
}

TEST(LargestLogits, PicksTheFasterWay) {
  const std::vector<std::size_t> none = {SIZE_MAX};
  EXPECT_EQ(Found(random_values(2048, 1)).tokens(9), none) << "16 groups";
  EXPECT_EQ(Found(std::vector<float>(10'000, 1.5F)).tokens(5), none) << "all are equal";
}

TEST(LargestLogits, SeesNanAndInfinity) {
  for (const std::size_t count : {3U, 100U, 5000U}) {
    for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
      std::vector<float> logits = random_values(count, 1);
      logits[at] = -std::nanf("");
      EXPECT_TRUE(Found(logits).largest.has_nan()) << at << " of " << count;
      logits[at] = kInfinity;
      EXPECT_EQ(Found(logits).largest.largest(), kInfinity);
      logits[at] = -kInfinity;
      EXPECT_LT(Found(logits).largest.largest(), 1);
    }
  }
  const Found nothing(std::vector<float>(20, -kInfinity));
  EXPECT_EQ(nothing.largest.largest(), -kInfinity);
}

TEST(LargestLogits, DoNotDependOnThreads) {
  const std::vector<float> logits = random_values(151'936, 5, 9);
  expect_same_on_any_threads([&] { return Found(logits).tokens(50); });
}

}  // namespace
}  // namespace perf::workloads

#include "workloads/kernels/sampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/workloads/random_values.h"

namespace perf::workloads {
namespace {

TEST(Nucleus, ByHand) {
  const std::vector<float> logits = {std::log(0.1F), std::log(0.5F), std::log(0.25F),
                                     std::log(0.15F)};
  std::vector<float> probabilities(4);
  const Nucleus nucleus = find_nucleus(logits.data(), 4, 1, 0.7F, probabilities.data());
  EXPECT_EQ(nucleus.size, 2U);           // 0.5 + 0.25
  EXPECT_NEAR(nucleus.mass, 1.5, 1e-6);  // relative to the largest
  EXPECT_EQ(draw(nucleus, probabilities.data(), 4, 0.0), 1U);
  EXPECT_EQ(draw(nucleus, probabilities.data(), 4, 0.66), 1U);
  EXPECT_EQ(draw(nucleus, probabilities.data(), 4, 0.67), 2U);
  EXPECT_EQ(draw(nucleus, probabilities.data(), 4, 0.999999), 2U);
}

TEST(Nucleus, MatchesSorting) {
  for (const std::size_t count : {2U, 100U, 5000U, 32000U}) {
    const std::vector<float> logits = random_values(count, 1, 6);
    std::vector<float> probabilities(count);
    for (const float top_p : {0.1F, 0.5F, 0.9F, 1.0F}) {
      for (const float temperature : {0.3F, 0.7F, 2.0F}) {
        const Nucleus got =
            find_nucleus(logits.data(), count, temperature, top_p, probabilities.data());
        const Nucleus want = find_nucleus_reference(logits.data(), count, temperature, top_p);
        // Single-precision sums may move the border by a token of tiny probability.
        EXPECT_NEAR(got.mass / want.mass, 1, 1e-5);
        EXPECT_NEAR(static_cast<double>(got.size), static_cast<double>(want.size), 1);
      }
    }
  }
}

TEST(Nucleus, DrawsInProportion) {
  const std::vector<float> logits = {0, 1, 2, 3};
  std::vector<float> probabilities(4);
  const Nucleus nucleus = find_nucleus(logits.data(), 4, 1, 1, probabilities.data());
  std::vector<int> drawn(4);
  constexpr int kDraws = 10'000;
  for (int i = 0; i < kDraws; ++i)
    ++drawn[draw(nucleus, probabilities.data(), 4, (i + 0.5) / kDraws)];
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(drawn[i], kDraws * probabilities[i] / nucleus.mass, 1);
}

}  // namespace
}  // namespace perf::workloads

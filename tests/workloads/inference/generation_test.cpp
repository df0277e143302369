#include "workloads/inference/generation.h"

#include <gtest/gtest.h>
#include <omp.h>

#include "workloads/inference/generation_check.h"

namespace perf::workloads {
namespace {

constexpr DecoderShape kSmall{.layers = 2,
                              .hidden = 32,
                              .heads = 4,
                              .kv_heads = 2,
                              .intermediate = 64,
                              .vocabulary = 500,
                              .context = 30};

struct GenerationTest : testing::Test {
  Decoder decoder{kSmall, Backend::openblas, omp_get_max_threads(), 1};
  perf_compare::StepEmitter out{perf_compare::Wanted{2, 0, 1}, "w", {}};
};

TEST_F(GenerationTest, RepeatsItselfAndKeepsThePrompt) {
  Generation generation(decoder, 10, 20, {}, 1);
  const std::vector<int> before = generation.tokens();
  ASSERT_TRUE(out.next_step());
  const double first_token = generation.run(out).first_token;
  const std::vector<int> first = generation.tokens();
  ASSERT_TRUE(out.next_step());
  generation.run(out);
  EXPECT_EQ(first, generation.tokens());
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 10, first.begin()));
  EXPECT_GT(first_token, 0);
  EXPECT_EQ(out.phase_names(), (std::vector<std::string>{"prefill", "sample", "decode"}));
  for (const int token : first)
    EXPECT_TRUE(token >= 0 && token < kSmall.vocabulary);
}

TEST_F(GenerationTest, SeedsGiveOtherTextsAndZeroTemperatureTheBestToken) {
  ASSERT_TRUE(out.next_step());
  Generation one(decoder, 10, 20, {}, 1), two(decoder, 10, 20, {}, 2);
  one.run(out);
  two.run(out);
  EXPECT_NE(one.tokens(), two.tokens());
  Generation greedy(decoder, 10, 20, {.temperature = 0}, 1);
  greedy.run(out);
  const float* logits = greedy.last_logits();
  for (int token = 0; token < kSmall.vocabulary; ++token)
    EXPECT_LE(logits[token], logits[greedy.tokens().back()]);
}

TEST_F(GenerationTest, NucleusErrorIsSmallForRealLogits) {
  ASSERT_TRUE(out.next_step());
  Generation generation(decoder, 10, 5, {}, 1);
  generation.run(out);
  EXPECT_LT(nucleus_error(generation.last_logits(), kSmall.tokens(), 0.7F, 0.9F),
            kNucleusTolerance);
}

}  // namespace
}  // namespace perf::workloads

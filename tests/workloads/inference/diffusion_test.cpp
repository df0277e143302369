#include "workloads/inference/diffusion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "tests/workloads/random_values.h"
#include "tests/workloads/threads.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/diffusion_check.h"
#include "workloads/kernels/token_probability.h"

namespace perf::workloads {
namespace {

using perf_compare::StepEmitter;

constexpr std::size_t kPrompt = 9, kNewTokens = 11, kSteps = 4;

DecoderSetup decoder_setup(std::size_t logit_rows) {
  return {.shape = {.layers = 2,
                    .hidden = 32,
                    .heads = 4,
                    .kv_heads = 2,
                    .head_size = 16,
                    .intermediate = 48,
                    .vocabulary = 50},
          .backend = Backend::reference,
          .capacity = kPrompt + kNewTokens,
          .most_rows = kPrompt + kNewTokens,
          .logit_rows = logit_rows};
}

DiffusionSetup diffusion_of(SamplingMethod method) {
  DiffusionSetup setup{
      .prompt = kPrompt, .new_tokens = kNewTokens, .denoising_steps = kSteps, .sampling = {}};
  setup.sampling.method = method;
  return setup;
}

// A small model and what it generates.
struct Generated {
  explicit Generated(SamplingMethod method = SamplingMethod::greedy, std::uint64_t seed = 1,
                     std::size_t logit_rows = 3)
      : source(decoder_setup(1).shape, 7),
        model(decoder_setup(logit_rows), source),
        diffusion(model.decoder(), diffusion_of(method), seed) {
    run();
  }
  void run() {
    StepEmitter out({.steps = 1, .warmup = 0}, "test", {});
    out.next_step();
    diffusion.run(out);
    out.stop_step();
    phases = out.phase_names();
  }

  SeededParameters source;
  DecoderInMemory model;
  Diffusion diffusion;
  std::vector<std::string> phases;
};

TEST(TokenProbability, IsSoftmax) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{37}, std::size_t{40'001}}) {
    const std::vector<float> logits = random_values(count, 1, 8);
    double sum = 0;
    for (const float logit : logits) {
      sum += std::exp(static_cast<double>(logit));
    }
    for (const std::size_t token : {std::size_t{0}, count / 2, count - 1}) {
      const double want = std::exp(static_cast<double>(logits[token])) / sum;
      // fast_exp is right to 3e-7, and so is a sum of a thousand of them.
      EXPECT_NEAR(token_probability(logits.data(), count, token) / want, 1, 1e-5);
    }
  }
}

TEST(TokenProbability, WorksForAnyLogits) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float far[] = {-200, 0, 200};
  EXPECT_EQ(token_probability(far, 3, 0), 0);
  EXPECT_EQ(token_probability(far, 3, 2), 1);
  const float none[] = {std::nanf(""), 1, kInfinity};
  for (const std::size_t token : {0U, 1U, 2U}) {
    EXPECT_EQ(token_probability(none, 3, token), 0);
  }
}

TEST(TokenProbability, DoesNotDependOnTheNumberOfThreads) {
  const std::vector<float> logits = random_values(50'000, 2, 5);
  expect_same_on_any_threads([&] { return token_probability(logits.data(), logits.size(), 3); });
}

TEST(Diffusion, KeepsEveryNewTokenOnceBySchedule) {
  for (const SamplingMethod method : {SamplingMethod::greedy, SamplingMethod::top_p}) {
    const Generated it(method);
    EXPECT_EQ(wrongly_kept(it.diffusion), 0U);
    std::vector<std::size_t> in_step(kSteps);
    std::set<std::size_t> positions;
    for (const Diffusion::Kept& one : it.diffusion.kept()) {
      ++in_step[one.step];
      positions.insert(one.position);
      EXPECT_NE(one.token, it.diffusion.mask());
    }
    EXPECT_EQ(in_step, (std::vector<std::size_t>{3, 3, 3, 2}));
    EXPECT_EQ(positions.size(), kNewTokens);
    EXPECT_EQ(*positions.begin(), kPrompt);
    EXPECT_EQ(it.phases, (std::vector<std::string>{"forward", "sample"}));
  }
}

// What was kept rightly, and then one mistake in it.
TEST(Diffusion, WronglyKeptCountsEveryKindOfMistake) {
  using Kept = Diffusion::Kept;
  const Generated it;
  const auto wrong_with = [&](auto plant) {
    std::vector<int> tokens = it.diffusion.tokens();
    std::vector<Kept> kept = it.diffusion.kept();
    plant(tokens, kept);
    return wrongly_kept(it.diffusion.setup(), it.diffusion.mask(), tokens, kept);
  };
  const int mask = it.diffusion.mask();
  EXPECT_EQ(wrong_with([](auto&, auto&) {}), 0U);
  EXPECT_GE(wrong_with([](auto&, auto& kept) { kept[1].position = kept[0].position; }), 1U);
  EXPECT_GE(wrong_with([](auto&, auto& kept) { kept[0].position = kPrompt - 1; }), 1U);
  EXPECT_GE(wrong_with([](auto&, auto& kept) { kept.pop_back(); }), 1U);
  EXPECT_EQ(wrong_with([](auto&, auto& kept) { kept[0].step = 1; }), 2U);
  EXPECT_GE(wrong_with([](auto&, auto& kept) { kept[0].step = kSteps; }), 1U);
  EXPECT_EQ(wrong_with([](auto& tokens, auto&) { tokens.back() = (tokens.back() + 1) % 49; }), 1U);
  EXPECT_EQ(wrong_with(
                [&](auto& tokens, auto& kept) { tokens[kept[0].position] = kept[0].token = mask; }),
            1U);
}

TEST(Diffusion, KeepsTheMostConfidentFirst) {
  const Generated it;
  const std::vector<Diffusion::Kept>& kept = it.diffusion.kept();
  for (std::size_t i = 1; i < kept.size(); ++i) {
    if (kept[i].step == kept[i - 1].step) {
      EXPECT_GE(kept[i - 1].confidence, kept[i].confidence);
    }
  }
}

// fp32: the reference's error is that of logits, some 1e-6 of the largest.
TEST(Diffusion, UnmasksAsTheReferenceDoes) {
  Generated it;
  EXPECT_LT(unmasking_error(it.model.decoder(), it.diffusion), 1e-5);
}

// Drawn tokens are not the most probable ones.
TEST(Diffusion, OtherTokensAreSeen) {
  Generated it(SamplingMethod::temperature);
  EXPECT_GT(unmasking_error(it.model.decoder(), it.diffusion), 0.01);
}

TEST(Diffusion, DoesNotDependOnHowManyLogitsItHoldsAtOnce) {
  EXPECT_EQ(Generated(SamplingMethod::top_p, 1, 1).diffusion.tokens(),
            Generated(SamplingMethod::top_p, 1, kNewTokens).diffusion.tokens());
}

TEST(Diffusion, RepeatsItselfAndFollowsTheSeed) {
  Generated it(SamplingMethod::temperature);
  const std::vector<int> first = it.diffusion.tokens();
  it.run();
  EXPECT_EQ(it.diffusion.tokens(), first);
  EXPECT_EQ(Generated(SamplingMethod::temperature).diffusion.tokens(), first);
  EXPECT_NE(Generated(SamplingMethod::temperature, 2).diffusion.tokens(), first);
}

TEST(Diffusion, RefusesStepsThatKeepNothing) {
  SeededParameters source(decoder_setup(1).shape, 7);
  DecoderInMemory model(decoder_setup(3), source);
  for (const std::size_t steps : {std::size_t{0}, kNewTokens + 1}) {
    DiffusionSetup setup = diffusion_of(SamplingMethod::greedy);
    setup.denoising_steps = steps;
    EXPECT_THROW(Diffusion(model.decoder(), setup, 1), std::invalid_argument);
  }
}

TEST(Diffusion, CountsItsOperations) {
  const ModelShape shape = decoder_setup(1).shape;
  constexpr double kRows = kPrompt + kNewTokens, kHidden = 32, kQueries = 64, kKeys = 32;
  const double weights = kHidden * (kQueries + 2 * kKeys) + kQueries * kHidden + 3 * kHidden * 48;
  const double layer = 2 * kRows * weights + 2 * (2 * kRows * kRows * kQueries);
  const double masked = 11 + 8 + 5 + 2;  // positions in each step
  EXPECT_DOUBLE_EQ(Diffusion::operations(diffusion_of(SamplingMethod::greedy), shape),
                   kSteps * 2 * layer + 2 * masked * kHidden * 50);
}

}  // namespace
}  // namespace perf::workloads

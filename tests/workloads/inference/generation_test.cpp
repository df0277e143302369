#include "workloads/inference/generation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/workloads/metric.h"
#include "workloads/decoder/cache_check.h"
#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_check_small.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/generate.h"
#include "workloads/inference/generation_report.h"

namespace perf::workloads {
namespace {

using perf_compare::StepEmitter;

DecoderSetup small(std::size_t sequences) {
  DecoderSetup setup;
  setup.shape = model_shape("micro");
  setup.sequences = sequences;
  return small_setup(setup);
}

struct GenerationTest : testing::Test {
  explicit GenerationTest(std::size_t sequences = 1)
      : setup(small(sequences)), model(setup, SmallParameters(setup.shape, 1)) {
    out.next_step();
  }
  DecoderSetup setup;
  DecoderInMemory model;
  StepEmitter out{perf_compare::Wanted{1, 0, 1}, "w", {}};
};

TEST_F(GenerationTest, RepeatsItselfAndKeepsThePrompt) {
  Generation generation(model.decoder(), {.prompt = 10, .new_tokens = 20}, 1);
  const std::vector<int> before = generation.tokens(0);
  generation.run(out);
  const std::vector<int> first = generation.tokens(0);
  generation.run(out);
  EXPECT_EQ(first, generation.tokens(0));
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 10, first.begin()));
  EXPECT_EQ(out.phase_names(), (std::vector<std::string>{"prefill", "sample", "decode"}));
  EXPECT_EQ(model.decoder().length(), 29U);  // the last token is never fed back
  for (const int token : first) {
    EXPECT_TRUE(token >= 0 && token < setup.shape.vocabulary);
  }
}

TEST_F(GenerationTest, ATokensTimeIsSinceTheOneBefore) {
  Generation generation(model.decoder(), {.prompt = 10, .new_tokens = 5}, 1);
  generation.run(out);
  ASSERT_EQ(generation.token_seconds().size(), 5U);
  double all = 0;
  for (const double seconds : generation.token_seconds()) {
    EXPECT_GT(seconds, 0);
    all += seconds;
  }
  EXPECT_NEAR(
      all, generation.prefill_seconds() + generation.decode_seconds() + generation.sample_seconds(),
      1e-9);
  // Four tokens, each with the weights and the 10, 11, 12, 13 positions before it.
  model.decoder().reset();
  const auto weights = static_cast<double>(model.decoder().bytes_read());
  EXPECT_EQ(generation.decode_bytes(), 4 * weights + (10 + 11 + 12 + 13) * 2.0 * 2 * 128 * 4);
}

TEST_F(GenerationTest, SeedsGiveOtherTextsAndGreedyTheBestToken) {
  Generation one(model.decoder(), {.prompt = 10, .new_tokens = 20}, 1);
  Generation two(model.decoder(), {.prompt = 10, .new_tokens = 20}, 2);
  one.run(out);
  two.run(out);
  EXPECT_NE(one.tokens(0), two.tokens(0));
  Generation greedy(
      model.decoder(),
      {.prompt = 10, .new_tokens = 20, .sampling = {.method = SamplingMethod::greedy}}, 1);
  greedy.run(out);
  // All but the last token, which is drawn after them.
  model.decoder().reset();
  const float* logits = model.decoder().advance(greedy.tokens(0).data(), 29);
  EXPECT_TRUE(is_most_probable(logits, setup.shape.tokens(), greedy.tokens(0).back()));
}

TEST_F(GenerationTest, WithoutACacheTheSameGreedyTokensComeOut) {
  GenerationSetup wanted{
      .prompt = 10, .new_tokens = 12, .sampling = {.method = SamplingMethod::greedy}};
  Generation cached(model.decoder(), wanted, 1);
  wanted.cached = false;
  Generation uncached(model.decoder(), wanted, 1);
  EXPECT_EQ(Generation::most_rows(wanted, 1), 21U);
  cached.run(out);
  uncached.run(out);
  EXPECT_EQ(cached.tokens(0), uncached.tokens(0));
}

TEST_F(GenerationTest, WithoutCacheErrorsAreSmall) {
  const CacheErrors errors = without_cache_errors(model.decoder(), model.decoder(), 1);
  EXPECT_EQ(errors.tokens, 0U);
  EXPECT_LT(errors.logits, 1e-5);
  EXPECT_GT(errors.logits, 0);
}

// Of another model every token is another, as good as always.
TEST_F(GenerationTest, WithoutCacheErrorsSeeAnotherModel) {
  DecoderInMemory other(setup, SmallParameters(setup.shape, 2));
  const CacheErrors errors = without_cache_errors(model.decoder(), other.decoder(), 1);
  EXPECT_GE(errors.tokens, 4U) << "of 6";
  EXPECT_GT(errors.logits, 0.1);
}

// A cache whose angles are a little off changes logits, and few tokens.
TEST_F(GenerationTest, WithoutCacheErrorsSeeAnotherAngle) {
  DecoderSetup turned = setup;
  turned.shape.rope_theta *= 1.01F;
  DecoderInMemory other(turned, SmallParameters(turned.shape, 1));
  EXPECT_GT(without_cache_errors(model.decoder(), other.decoder(), 1).logits,
            tolerances(setup).logits);
}

struct BatchTest : GenerationTest {
  BatchTest() : GenerationTest(3) {}
};

// A sequence's text does not depend on those beside it.
TEST_F(BatchTest, SequencesAreTheirOwn) {
  const GenerationSetup wanted{
      .prompt = 8, .new_tokens = 6, .sampling = {.method = SamplingMethod::greedy}};
  Generation batch(model.decoder(), wanted, 1);
  batch.run(out);
  EXPECT_NE(batch.tokens(0), batch.tokens(1));
  const DecoderSetup one = small(1);
  DecoderInMemory single(one, SmallParameters(one.shape, 1));
  for (std::size_t i = 0; i < 3; ++i) {
    Text text{.sequences = 1, .length = 8, .tokens = batch.tokens(i)};
    text.tokens.resize(8);
    single.decoder().reset();
    const float* logits = single.decoder().advance(text.tokens.data(), 8);
    EXPECT_EQ(continue_greedily(single.decoder(), text, logits, 6).tokens, batch.tokens(i)) << i;
  }
}

TEST_F(GenerationTest, TokensByMemoryAreByTheMemoryThatIsGiven) {
  Generation generation(model.decoder(), {.prompt = 10, .new_tokens = 5}, 1);
  GenerationSpeed speed(generation.setup(), 1, 1);
  generation.run(out);
  speed.add(generation, 0.5);
  speed.report(250'000'000, out);
  EXPECT_DOUBLE_EQ(metric(out, "tokens_per_second"), 10);
  EXPECT_DOUBLE_EQ(metric(out, "tokens_per_second_per_gb"), 40);
}

TEST_F(GenerationTest, YardsticksAreNoMemoryOfTheModels) {
  out.stop_step();
  const std::size_t all = out.steps().back().rss;
  EXPECT_EQ(memory_without_yardsticks(model.memory(), out, 100'000), all - 100'000);
  std::size_t counted = 0;
  for (const Purpose purpose : {Purpose::weights, Purpose::activations, Purpose::kv_cache}) {
    counted += model.memory().bytes(purpose);
  }
  EXPECT_EQ(memory_without_yardsticks(model.memory(), out, std::size_t{1} << 50), counted);
  report_memory(model.memory(), out, 100'000);
  EXPECT_EQ(metric(out, "overhead_bytes"), static_cast<double>(all - 100'000 - counted));
}

TEST(PrefillRate, NeedsNoYardstick) {
  StepEmitter out(perf_compare::Wanted{1, 0, 1}, "w", {});
  report_prefill(6e9, 2, GemmRate(0), out);
  ASSERT_EQ(out.metrics().size(), 1U);
  EXPECT_EQ(metric(out, "prefill_rate"), 3e9);
}

TEST(Generate, OnlyWithACacheMemoryIsTheLimit) {
  const auto probes = [](const Workload& workload) {
    return std::any_of(workload.parameters.begin(), workload.parameters.end(),
                       [](const Parameter& one) { return one.name == "read-probe-size"; });
  };
  EXPECT_TRUE(probes(inference_generate()));
  EXPECT_FALSE(probes(inference_generate_nocache()));
}

TEST(CacheFormula, IsWhatTheModelsReportsSay) {
  DecoderSetup setup;
  setup.shape = model_shape("qwen2.5-0.5b");
  setup.cache = DType::fp16;
  EXPECT_EQ(cache_formula(setup, 14, 2048), 176'160'768);
  EXPECT_EQ(cache_formula(setup, 2, 2048), 25'165'824);
  setup.capacity = 2048;
  Ledger counted;
  count_memory(setup, counted);
  StepEmitter out(perf_compare::Wanted{1, 0, 1}, "w", {});
  check_cache(setup, counted, out);
  EXPECT_TRUE(out.checks().front().passed());
  setup.shape.layers = 23;
  check_cache(setup, counted, out);
  EXPECT_FALSE(out.checks().back().passed());
}

}  // namespace
}  // namespace perf::workloads

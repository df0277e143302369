#include "workloads/decoder/decoder.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <functional>
#include <stdexcept>

#include "tests/contains.h"
#include "tests/thrown_by.h"
#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_check_small.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/program/error.h"

namespace perf::workloads {
namespace {

DecoderSetup setup_of(WeightType weights = WeightType::fp32, std::size_t sequences = 2) {
  DecoderSetup setup;
  setup.shape = model_shape("micro");
  setup.weights = weights;
  setup.cache = default_cache(weights);
  setup.sequences = sequences;
  return small_setup(setup);
}

// As many random tokens a sequence; the same ones for every setup of so many sequences.
Text tokens_of(const DecoderSetup& setup, std::size_t length) {
  Text text{.sequences = setup.sequences, .length = length, .tokens = {}};
  for (std::size_t i = 0; i < text.sequences * length; ++i) {
    text.tokens.push_back(static_cast<int>(i * i * 7 + i * 13) % setup.shape.vocabulary);
  }
  return text;
}

// In one piece through products of many rows, and one by one through the cache. Returns what they
// are held against.
ReferenceLogits expect_reference(Decoder& decoder, const DecoderSetup& setup, const Text& text) {
  ReferenceLogits want = reference_logits(setup.shape, stored_parameters(decoder), text);
  const double allowed = tolerances(setup).logits;
  EXPECT_LT(logit_error(logits_in_one_piece(decoder, text), want, text), allowed);
  EXPECT_LT(logit_error(logits_one_by_one(decoder, text), want, text), allowed);
  return want;
}

class DecoderOfType : public testing::TestWithParam<WeightType> {};

// Both mixed, too.
TEST_P(DecoderOfType, MatchesTheReferenceHoweverTheTokensCome) {
  const DecoderSetup setup = setup_of(GetParam());
  DecoderInMemory model(setup, SmallParameters(setup.shape, 3));
  Decoder& decoder = model.decoder();
  const Text text = tokens_of(setup, 40);
  const ReferenceLogits want = expect_reference(decoder, setup, text);

  decoder.reset();
  decoder.advance(text.part(0, 23).tokens.data(), 23);
  decoder.advance(text.part(23, 1).tokens.data(), 1);
  const float* logits = decoder.advance(text.part(24, 16).tokens.data(), 16);
  EXPECT_EQ(decoder.length(), 40U);
  const std::size_t vocabulary = setup.shape.tokens();
  for (std::size_t i = 0; i < want.logits.size(); ++i) {
    for (std::size_t token = 0; token < vocabulary; ++token) {
      EXPECT_NEAR(logits[want.sequences[i] * vocabulary + token],
                  want.logits[i][39 * vocabulary + token], 8 * tolerances(setup).logits);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Types, DecoderOfType,
                         testing::Values(WeightType::fp32, WeightType::bf16, WeightType::fp16,
                                         WeightType::int8, WeightType::int4, WeightType::nf4),
                         [](const auto& test) { return name_of(test.param); });

// Outputs of their own, no biases, and RoPE scaled so that the reference's few positions see it.
DecoderSetup llama_setup(WeightType weights = WeightType::fp32) {
  DecoderSetup setup = setup_of(weights);
  setup.shape.is_tied = setup.shape.has_qkv_bias = false;
  setup.shape.rope_scaling = {.factor = 4, .original_positions = 32};
  return setup;
}

TEST(Decoder, MatchesTheReferenceOfModelsOfOtherKinds) {
  for (const WeightType type : {WeightType::fp32, WeightType::bf16, WeightType::int8}) {
    for (const bool is_tied : {false, true}) {
      DecoderSetup setup = llama_setup(type);
      setup.shape.is_tied = is_tied;
      DecoderInMemory model(setup, SmallParameters(setup.shape, 3));
      Decoder& decoder = model.decoder();
      expect_reference(decoder, setup, tokens_of(setup, 40));
      EXPECT_EQ(weights_error(decoder, SmallParameters(setup.shape, 3)), 0);
      // What decoding reads: of an embedding that is not the output a row at most.
      DecoderSetup tied = setup;
      tied.shape.is_tied = true;
      DecoderInMemory other(tied, SmallParameters(tied.shape, 3));
      decoder.reset();
      EXPECT_EQ(decoder.bytes_read(), other.decoder().bytes_read());
    }
  }
}

TEST(Decoder, SeesEachOfTheirDifferences) {
  const DecoderSetup setup = llama_setup();
  const SmallParameters source(setup.shape, 3);
  DecoderInMemory model(setup, source);
  const Text text = tokens_of(setup, 40);
  const std::vector<float> logits = logits_one_by_one(model.decoder(), text);
  const auto error = [&](const std::function<void(ModelShape&)>& change) {
    ModelShape other = setup.shape;
    change(other);
    return logit_error(
        logits, reference_logits(other, exact_parameters(SmallParameters(other, 3)), text), text);
  };
  const double allowed = tolerances(setup).logits;
  EXPECT_LT(error([](ModelShape&) {}), allowed);
  EXPECT_GT(error([](ModelShape& other) { other.is_tied = true; }), 100 * allowed);
  EXPECT_GT(error([](ModelShape& other) { other.has_qkv_bias = true; }), 100 * allowed);
  EXPECT_GT(error([](ModelShape& other) { other.rope_scaling.factor = 1; }), 100 * allowed);
  EXPECT_GT(error([](ModelShape& other) { other.rope_scaling.low_frequency = 3; }), 3 * allowed);
  DecoderInMemory tied(setup_of(), SmallParameters(setup_of().shape, 3));
  EXPECT_THROW(tied.decoder().load(source), std::invalid_argument);
}

TEST(Decoder, ResettingForgetsWhatCameBefore) {
  const DecoderSetup setup = setup_of();
  DecoderInMemory model(setup, SmallParameters(setup.shape, 3));
  Decoder& decoder = model.decoder();
  const Text text = tokens_of(setup, 12);
  const float* logits = decoder.advance(text.tokens.data(), 12);
  const std::vector<float> want(logits, logits + 2 * setup.shape.tokens());
  EXPECT_EQ(decoder.length(), 12U);
  decoder.advance(text.part(0, 1).tokens.data(), 1);
  decoder.reset();
  EXPECT_EQ(decoder.length(), 0U);
  logits = decoder.advance(text.tokens.data(), 12);
  EXPECT_EQ(std::vector<float>(logits, logits + want.size()), want);
}

TEST(Decoder, PredictsEveryPositionFromAllOfThem) {
  DecoderSetup setup = setup_of();
  setup.logit_rows = 3;  // fewer than are asked for
  DecoderInMemory model(setup, SmallParameters(setup.shape, 3));
  Decoder& decoder = model.decoder();
  const Text text = tokens_of(setup, 20);
  decoder.advance(text.tokens.data(), 20);  // must not be seen
  const std::vector<int> rows = {0, 19, 20, 27};
  const std::size_t vocabulary = setup.shape.tokens();
  std::vector<float> logits;  // come in the order of the rows
  decoder.predict_and_visit(text.tokens.data(), 20, rows,
                            [&](std::size_t index, const float* of_row) {
                              EXPECT_EQ(index * vocabulary, logits.size());
                              logits.insert(logits.end(), of_row, of_row + vocabulary);
                            });
  EXPECT_EQ(decoder.length(), 0U);
  ASSERT_EQ(logits.size(), rows.size() * vocabulary);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i]);
    const std::vector<double> want = reference::decoder_logits(
        setup.shape, stored_parameters(decoder), text.sequence(row / 20), false);
    for (std::size_t token = 0; token < vocabulary; ++token) {
      ASSERT_NEAR(logits[i * vocabulary + token], want[row % 20 * vocabulary + token], 1e-4);
    }
  }
  const auto ignore = [](std::size_t, const float*) {};
  for (const int outside : {40, -1}) {
    EXPECT_THROW(decoder.predict_and_visit(text.tokens.data(), 20, {outside}, ignore),
                 std::logic_error);
  }
}

TEST(Decoder, DoesNotDependOnTheNumberOfThreads) {
  const int threads = omp_get_max_threads();
  for (const WeightType type : {WeightType::fp32, WeightType::int4}) {
    const DecoderSetup setup = setup_of(type);
    const Text text = tokens_of(setup, 9);  // 18 rows: few ones after that
    DecoderInMemory model(setup, SmallParameters(setup.shape, 3));
    std::vector<std::vector<float>> logits;
    for (const int some : {1, 2}) {
      omp_set_num_threads(std::min(some, threads));
      logits.push_back(logits_one_by_one(model.decoder(), text));
    }
    omp_set_num_threads(threads);
    EXPECT_EQ(logits[0], logits[1]);
  }
}

TEST(Decoder, CountsWhatItReadsAndComputes) {
  const DecoderSetup setup = setup_of(WeightType::bf16);
  DecoderInMemory model(setup, SmallParameters(setup.shape, 3));
  Decoder& decoder = model.decoder();
  // hidden 96, 4 heads and 2 of keys and values of 64, MLP of 160, 203 tokens, 2 layers; 2 bytes.
  const std::size_t layer = 512 * 96 + 96 * 256 + 3 * 160 * 96;
  EXPECT_EQ(decoder.bytes_read(), 2 * (2 * layer + 203 * 96));
  const Text text = tokens_of(setup, 5);
  decoder.advance(text.tokens.data(), 5);
  // Keys and values of 5 positions in 2 sequences and 2 layers, 128 wide each.
  EXPECT_EQ(decoder.bytes_read(), 2 * (2 * layer + 203 * 96) + 2 * (2 * 128) * 5 * 2 * 2);
  // 10 rows; a query meets 1 + 2 + ... + 5 keys; the last row of each sequence has logits.
  const double attention = 2 * 2 * 15 * 256 * 2;
  EXPECT_EQ(decoder.operations(5), 2.0 * 10 * 2 * layer + 2 * attention + 2.0 * 2 * 203 * 96);
}

TEST(Decoder, RefusesWhatItHasNoRoomFor) {
  const DecoderSetup setup = setup_of();
  DecoderInMemory model(setup, SmallParameters(setup.shape, 3));
  Decoder& decoder = model.decoder();
  const std::vector<int> tokens(2 * (setup.capacity + 1), 1);
  EXPECT_THROW(decoder.advance(tokens.data(), setup.capacity + 1), std::logic_error);
  decoder.advance(tokens.data(), setup.capacity);
  EXPECT_THROW(decoder.advance(tokens.data(), 1), std::logic_error);
  decoder.reset();
  EXPECT_THROW(decoder.advance(tokens.data(), 0), std::logic_error);
  const std::vector<int> outside = {1, setup.shape.vocabulary};
  EXPECT_THROW(decoder.advance(outside.data(), 1), std::logic_error);

  DecoderSetup wrong = setup;
  wrong.most_rows = 1;
  Ledger counted;
  EXPECT_THROW(Decoder(wrong, counted), std::invalid_argument);
  ModelShape other = setup.shape;
  other.intermediate += 32;
  EXPECT_THROW(decoder.load(SmallParameters(other, 1)), std::invalid_argument);
}

// Neither the memory of a large model nor of many positions is touched for the answer.
TEST(DecoderInMemory, RefusesWhatDoesNotFitWithAHint) {
  DecoderSetup setup;
  setup.shape = model_shape("qwen2.5-0.5b");
  setup.capacity = 1024;
  EXPECT_NO_THROW(require_fit(setup, 0));  // unknown
  EXPECT_NO_THROW(require_fit(setup, std::size_t{3} << 30));
  const auto error = thrown_by<Error>([&] { require_fit(setup, std::size_t{1} << 30); });
  EXPECT_TRUE(contains(error.subject, "1.0 GiB are available"));
  EXPECT_TRUE(contains(error.hint, "--weights int8"));
  EXPECT_FALSE(contains(error.hint, "--weights bf16"));
  const auto other = thrown_by<Error>([&] { require_fit(setup, std::size_t{1} << 20); });
  EXPECT_EQ(other.hint.find("fewer tokens, or a smaller --model"), 0U) << other.hint;
}

}  // namespace
}  // namespace perf::workloads

#include "workloads/inference/streaming.h"

#include <gtest/gtest.h>

#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/differing_tokens.h"

namespace perf::workloads {
namespace {

using Handover = Streaming::Handover;

struct OwnStreaming {
  explicit OwnStreaming(const StreamingSetup& setup, std::uint64_t seed = 1)
      : model(decoder_setup(setup), SeededParameters(decoder_setup(setup).shape, seed)),
        memory(room(setup)),
        streaming(model.decoder(), setup, seed, memory) {}

  static DecoderSetup decoder_setup(const StreamingSetup& setup) {
    DecoderSetup decoder{.shape = {.layers = 2, .hidden = 64, .heads = 2, .head_size = 32}};
    decoder.shape.vocabulary = 300;
    decoder.capacity = setup.prompt + setup.new_tokens;
    decoder.most_rows = setup.prompt;
    return decoder;
  }
  static Ledger room(const StreamingSetup& setup) {
    Ledger counted;
    Sampler(setup.sampling, 300, counted);
    return Ledger(counted);
  }

  DecoderInMemory model;
  Ledger memory;
  Streaming streaming;
};

TEST(Streaming, TheReaderGetsTheSameTextBothWays) {
  OwnStreaming own({.prompt = 20, .new_tokens = 30, .sampling = {}});
  own.streaming.generate(Handover::by_token);
  const std::vector<std::uint32_t> text = own.streaming.generated();
  EXPECT_EQ(text.size(), 30U);
  EXPECT_EQ(own.streaming.received(), text);
  own.streaming.generate(Handover::in_one_piece);
  EXPECT_EQ(own.streaming.generated(), text);
  EXPECT_EQ(own.streaming.received(), text);
}

// Greedy, so that the tokens say which logits they came from.
TEST(Streaming, GeneratesWhatTheDecoderSays) {
  OwnStreaming own({.prompt = 5, .new_tokens = 4, .sampling = {.method = SamplingMethod::greedy}});
  own.streaming.generate(Handover::by_token);
  const std::vector<std::uint32_t> text = own.streaming.generated();
  Decoder& decoder = own.model.decoder();
  EXPECT_EQ(decoder.length(), 8U) << "all but the last token have been read";
  own.streaming.prompt_time(Handover::in_one_piece);
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const int token = static_cast<int>(text[i]);
    const float* logits = decoder.advance(&token, 1);
    for (std::size_t other = 0; other < 300; ++other) {
      EXPECT_LE(logits[other], logits[text[i + 1]]);
    }
  }
}

TEST(DifferingTokens, CountsWrongOnesAndThoseOfOneTextOnly) {
  const std::vector<std::uint32_t> text = {3, 1, 2};
  EXPECT_EQ(differing_tokens(text, text), 0U);
  EXPECT_EQ(differing_tokens(text, {3, 2, 1}), 2U);
  EXPECT_EQ(differing_tokens(text, {3, 1}), 1U);
  EXPECT_EQ(differing_tokens({}, text), 3U);
}

TEST(Streaming, ASeedIsAText) {
  const StreamingSetup setup{.prompt = 5, .new_tokens = 20, .sampling = {}};
  const auto text = [&](std::uint64_t seed) {
    OwnStreaming own(setup, seed);
    own.streaming.generate(Handover::in_one_piece);
    return own.streaming.received();
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

TEST(Streaming, TimesAreInOrder) {
  OwnStreaming own({.prompt = 5, .new_tokens = 20, .sampling = {}});
  const Streaming::Times streamed = own.streaming.generate(Handover::by_token);
  EXPECT_GT(streamed.first_token, 0);
  EXPECT_GT(streamed.total, streamed.first_token);
  EXPECT_DOUBLE_EQ(streamed.decode, streamed.total - streamed.first_token);
  const Streaming::Times whole = own.streaming.generate(Handover::in_one_piece);
  EXPECT_EQ(whole.total, whole.first_token) << "the reader has nothing before the end";
  EXPECT_LT(whole.decode, whole.total);
  // Each token all weights, and the keys and values of those before it: 5, 6, ... 23, in 2 layers.
  own.model.decoder().reset();
  const double weights = static_cast<double>(own.model.decoder().bytes_read());
  const double positions = 19 * (5 + 23) / 2.0;
  EXPECT_EQ(whole.bytes, 19 * weights + positions * 2 * (2 * 32) * sizeof(float));
  EXPECT_EQ(whole.bytes, streamed.bytes);
}

TEST(Streaming, BothWaysOfReadingThePromptReadAllOfIt) {
  OwnStreaming own({.prompt = 7, .new_tokens = 2, .sampling = {}});
  for (const Handover handover : {Handover::by_token, Handover::in_one_piece}) {
    EXPECT_GT(own.streaming.prompt_time(handover), 0);
    EXPECT_EQ(own.model.decoder().length(), 7U);
  }
}

}  // namespace
}  // namespace perf::workloads

#include "workloads/inference/text_check.h"

#include <gtest/gtest.h>

#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_in_memory.h"

namespace perf::workloads {
namespace {

using perf_compare::StepEmitter;

constexpr std::uint64_t kTextSeed = 3;

DecoderSetup text_setup(WeightType weights) {
  DecoderSetup setup{.shape = {.layers = 2,
                               .hidden = 64,
                               .heads = 4,
                               .kv_heads = 2,
                               .head_size = 16,
                               .intermediate = 96,
                               .vocabulary = 300}};
  setup.weights = weights;
  setup.cache = default_cache(weights);
  setup.sequences = setup.logit_rows = 2;
  setup.capacity = 52;
  setup.most_rows = 2 * setup.capacity;
  return setup;
}

/// A model, and the check of a text that another may have generated.
class TextCheck : public testing::TestWithParam<WeightType> {
 protected:
  TextCheck() : setup(text_setup(GetParam())), model(setup, SmallParameters(setup.shape, 1)) {}

  static GenerationSetup wanted(SamplingMethod method = SamplingMethod::top_p) {
    return {.prompt = 20, .new_tokens = 32, .sampling = {.method = method}};
  }
  static void run(Generation& generation) {
    StepEmitter out{perf_compare::Wanted{1, 0, 1}, "w", {}};
    out.next_step();
    generation.run(out);
  }
  bool passes(const Generation& generation) {
    StepEmitter out{perf_compare::Wanted{1, 0, 1}, "w", {}};
    check_text(model.decoder(), generation, kTextSeed, out);
    return out.checks().at(0).passed();
  }

  DecoderSetup setup;
  DecoderInMemory model;
};

TEST_P(TextCheck, ATextAsItShouldBePasses) {
  for (const SamplingMethod method : {SamplingMethod::greedy, SamplingMethod::temperature,
                                      SamplingMethod::top_k, SamplingMethod::top_p}) {
    Generation generation(model.decoder(), wanted(method), kTextSeed);
    run(generation);
    EXPECT_TRUE(passes(generation)) << name_of(method);
    EXPECT_EQ(model.decoder().length(), 0U);
  }
}

TEST_P(TextCheck, AnotherSeedShows) {
  Generation generation(model.decoder(), wanted(), kTextSeed + 1);
  run(generation);
  EXPECT_FALSE(passes(generation));
}

TEST_P(TextCheck, AnotherModelsTextShows) {
  DecoderInMemory other(setup, SmallParameters(setup.shape, 2));
  Generation generation(other.decoder(), wanted(), kTextSeed);
  run(generation);
  EXPECT_FALSE(passes(generation));
}

// Texts that are put together here, by a sampler of the same units.
class OwnText : public TextCheck {
 protected:
  enum class Error { none, skips_tokens, feeds_another_token, ignores_the_units, same_prompts };
  double error_of(Error error) {
    const SamplingOptions sampling{.method = SamplingMethod::top_p, .temperature = 0.7};
    const auto unit = [](std::size_t sequence, std::size_t index) {
      return static_cast<double>((sequence * 37 + index * 61) % 101) / 101;
    };
    const ExpectedText expected{prompt_of(kTextSeed, 7, setup, 20), sampling, unit};
    Text text = expected.prompt;
    if (error == Error::same_prompts) {
      std::copy_n(text.tokens.begin(), 20, text.tokens.begin() + 20);
    }
    Ledger counted;
    Sampler(sampling, 300, counted);
    Ledger memory(counted);
    Sampler sampler(sampling, 300, memory);
    Decoder& decoder = model.decoder();
    decoder.reset();
    const float* logits = decoder.advance(text.tokens.data(), text.length);
    for (std::size_t index = 0; index < 32; ++index) {
      std::vector<int> next;
      for (std::size_t i = 0; i < 2; ++i) {
        next.push_back(static_cast<int>(sampler.choose(
            logits + i * 300, error == Error::ignores_the_units ? 0.5 : unit(i, index))));
      }
      text.append(next);
      if (error == Error::feeds_another_token) {
        next = {1, 2};
      }
      if (index + 1 < 32 && (error != Error::skips_tokens || index % 2 == 0)) {
        logits = decoder.advance(next.data(), 1);
      }
    }
    return text_error(decoder, expected, text, tolerances(setup).logits);
  }
};

TEST_P(OwnText, FindsWrongDecodingAndSampling) {
  EXPECT_LE(error_of(Error::none), 1);
  EXPECT_GT(error_of(Error::skips_tokens), 1);
  EXPECT_GT(error_of(Error::feeds_another_token), 1);
  EXPECT_GT(error_of(Error::ignores_the_units), 1);
  EXPECT_GT(error_of(Error::same_prompts), 1);
}

TEST_P(TextCheck, AStepOfHalfTheLengthShows) {
  const Text text = prompt_of(kTextSeed, 7, setup, 40);
  const auto logits_after = [&](std::size_t length) {
    model.decoder().reset();
    const float* logits = model.decoder().advance(text.part(0, length).tokens.data(), length);
    return std::vector<float>(logits, logits + 2 * setup.shape.tokens());
  };
  const double allowed = tolerances(setup).logits;
  EXPECT_LE(two_pieces_error(model.decoder(), text, logits_after(40)), allowed);
  EXPECT_GT(two_pieces_error(model.decoder(), text, logits_after(20)), allowed);
}

const auto kTextTypes = testing::Values(WeightType::fp32, WeightType::bf16, WeightType::int4);
const auto kName = [](const auto& test) { return name_of(test.param); };
INSTANTIATE_TEST_SUITE_P(Types, TextCheck, kTextTypes, kName);
INSTANTIATE_TEST_SUITE_P(Types, OwnText, kTextTypes, kName);

}  // namespace
}  // namespace perf::workloads

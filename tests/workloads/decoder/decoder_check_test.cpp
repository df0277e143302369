#include "workloads/decoder/decoder_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "workloads/decoder/decoder_check_small.h"
#include "workloads/decoder/decoder_check_timed.h"

namespace perf::workloads {
namespace {

using reference::ParameterReader;

DecoderSetup timed_setup(WeightType weights = WeightType::fp32, std::size_t sequences = 2) {
  DecoderSetup setup;
  setup.shape = {.layers = 3,
                 .hidden = 64,
                 .heads = 4,
                 .kv_heads = 2,
                 .head_size = 16,
                 .intermediate = 96,
                 .vocabulary = 300};
  setup.weights = weights;
  setup.cache = default_cache(weights);
  setup.sequences = sequences;
  setup.capacity = 30;
  setup.most_rows = 30 * sequences;
  setup.logit_rows = sequences;
  return setup;
}

class ChecksOfType : public testing::TestWithParam<WeightType> {};

TEST_P(ChecksOfType, AllPass) {
  // 17 rows take the way of many rows in decoding, too.
  for (const std::size_t sequences : {1, GetParam() == WeightType::fp32 ? 17 : 2}) {
    const DecoderSetup setup = timed_setup(GetParam(), sequences);
    DecoderInMemory model(setup, SeededParameters(setup.shape, 5));
    perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "w", {});
    check_decoder(model.decoder(), SeededParameters(setup.shape, 5), 5, out);
    EXPECT_EQ(model.decoder().length(), 0U);
    std::vector<std::string> names;
    for (const perf_compare::Check& check : out.checks()) {
      EXPECT_TRUE(check.passed()) << check.name << ": " << check.error << " > " << check.tolerance
                                  << ", " << sequences << " sequences";
      names.push_back(check.name);
    }
    std::vector<std::string> wanted = decoder_checks();
    if (!is_exact(setup)) {
      wanted.erase(wanted.begin());  // the greedy tokens, which cannot be compared
    }
    EXPECT_EQ(names, wanted);
  }
}
INSTANTIATE_TEST_SUITE_P(Types, ChecksOfType,
                         testing::Values(WeightType::fp32, WeightType::bf16, WeightType::fp16,
                                         WeightType::int8, WeightType::int4, WeightType::nf4),
                         [](const auto& test) { return name_of(test.param); });

/// A small model, its text and its logits, right as they are: what is planted stands in the
/// reference, which then computes what a decoder with that error would.
class Planted : public testing::TestWithParam<WeightType> {
 protected:
  Planted()
      : setup(small_setup(timed_setup(GetParam()))),
        source(setup.shape, 5),
        text(draw_text(setup, source, 5)),
        model(setup, source),
        logits(logits_one_by_one(model.decoder(), text)),
        allowed(tolerances(setup)) {}

  double error_with(const ModelShape& shape, const ParameterReader& read) const {
    return logit_error(logits, reference_logits(shape, read, text), text);
  }
  /// A reader that changes values `count` from `offset` on.
  template <class Change>
  ParameterReader changed(std::size_t offset, std::size_t count, Change change) {
    return [=, this](std::size_t first, std::size_t wanted) {
      std::vector<double> values = stored_parameters(model.decoder())(first, wanted);
      for (std::size_t i = 0; i < wanted; ++i) {
        if (first + i >= offset && first + i < offset + count) {
          values[i] = change(first + i, values[i]);
        }
      }
      return values;
    };
  }

  DecoderSetup setup;
  SmallParameters source;
  Text text;
  DecoderInMemory model;
  std::vector<float> logits;
  DecoderTolerances allowed;
};

TEST_P(Planted, NothingIsWithinTheTolerance) {
  EXPECT_LT(error_with(setup.shape, stored_parameters(model.decoder())), allowed.logits);
}

TEST_P(Planted, ASkippedBiasShows) {
  const ModelLayout layout(setup.shape);
  const ParameterReader skips =
      changed(layout.qkv_bias(1), setup.shape.qkv_width(), [](std::size_t, double) { return 0.0; });
  EXPECT_GT(error_with(setup.shape, skips), allowed.logits);
}

TEST_P(Planted, ANormLeftOutShows) {
  const ModelLayout layout(setup.shape);
  const ParameterReader leaves_out =
      changed(layout.mlp_norm(0), setup.shape.width(), [](std::size_t, double) { return 1.0; });
  EXPECT_GT(error_with(setup.shape, leaves_out), allowed.logits);
}

TEST_P(Planted, AWrongKeyValueHeadShows) {
  // The rows of both key heads, exchanged: every query reads the other head's keys.
  const ModelLayout layout(setup.shape);
  const std::size_t head = static_cast<std::size_t>(setup.shape.head_size) * setup.shape.width();
  const std::size_t keys = layout.qkv(1) + setup.shape.query_width() * setup.shape.width();
  const ParameterReader stored = stored_parameters(model.decoder());
  const ParameterReader exchanged = changed(keys, 2 * head, [&](std::size_t at, double) {
    return stored(at < keys + head ? at + head : at - head, 1).front();
  });
  EXPECT_GT(error_with(setup.shape, exchanged), allowed.logits);
}

TEST_P(Planted, AnotherAngleShows) {
  ModelShape other = setup.shape;
  other.rope_theta /= 10;
  EXPECT_GT(error_with(other, stored_parameters(model.decoder())), allowed.logits);
}

// As if a key were stored one position too far: the reference sees the text without its token 3.
TEST_P(Planted, AWrongPositionInTheCacheShows) {
  Text shifted = text;
  for (std::size_t i = 0; i < text.sequences; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * text.length + 3);
    shifted.tokens.insert(shifted.tokens.begin() + at,
                          shifted.tokens[static_cast<std::size_t>(at)]);
    shifted.tokens.erase(shifted.tokens.begin() +
                         static_cast<std::ptrdiff_t>((i + 1) * text.length));
  }
  const ReferenceLogits want =
      reference_logits(setup.shape, stored_parameters(model.decoder()), shifted);
  EXPECT_GT(logit_error(logits, want, text), allowed.logits);
}

TEST_P(Planted, OneWrongLogitShowsAndNoNumberAsWell) {
  const ReferenceLogits want =
      reference_logits(setup.shape, stored_parameters(model.decoder()), text);
  std::vector<float> wrong = logits;
  wrong[5] += 1;
  EXPECT_GT(logit_error(wrong, want, text), allowed.logits);
  wrong[5] = std::nanf("");
  EXPECT_FALSE(logit_error(wrong, want, text) <= allowed.logits);
}

/// A source whose matrices are changed as they are read.
class Changed : public ParameterSource {
 public:
  enum class What { exchanged_rows, scales, one_value };
  Changed(const ParameterSource& from, What what) : from_(from), what_(what) {}
  const ModelShape& shape() const override { return from_.shape(); }
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override {
    from_.read(tensor, first, count, values);
    if (tensor.name != "model.layers.0.mlp.up_proj.weight") {
      return;
    }
    const std::size_t columns = tensor.shape.back();
    if (what_ == What::exchanged_rows && first == 0) {
      std::swap_ranges(values, values + columns, values + columns);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (what_ == What::scales && (first + i) % columns < WeightMatrix::kGroup) {
        values[i] *= 1.5F;
      }
    }
    if (what_ == What::one_value && first == 0) {
      values[7] += 1;
    }
  }

 private:
  const ParameterSource& from_;
  What what_;
};

TEST_P(Planted, WrongWeightsShow) {
  EXPECT_LE(weights_error(model.decoder(), source), allowed.weights);
  EXPECT_LE(some_weights_error(model.decoder(), source, 5), allowed.weights);
  for (const Changed::What what :
       {Changed::What::exchanged_rows, Changed::What::scales, Changed::What::one_value}) {
    DecoderInMemory wrong(setup, Changed(source, what));
    EXPECT_GT(weights_error(wrong.decoder(), source), allowed.weights);
    EXPECT_GT(some_weights_error(wrong.decoder(), source, 5), allowed.weights);
  }
}

TEST_P(Planted, PerplexityShowsWhatMovesIt) {
  EXPECT_LT(perplexity_change(model.decoder(), source, text), allowed.perplexity);
  EXPECT_GT(perplexity_change(model.decoder(), SmallParameters(setup.shape, 6), text),
            allowed.perplexity);
}

TEST_P(Planted, TheTimedModelIsLookedAtItself) {
  const Text few = random_text(setup, kTimedTokens, 5);
  EXPECT_EQ(few.length, kTimedTokens);
  EXPECT_LT(timed_logits_error(model.decoder(), stored_parameters(model.decoder()), few),
            allowed.decoded);
  EXPECT_LT(cache_error(model.decoder(), model.decoder(), random_text(setup, kTimedPiece, 5)),
            allowed.logits);
}

TEST_P(Planted, ANormLeftOutShowsInTheTimedModel) {
  const ModelLayout layout(setup.shape);
  const ParameterReader leaves_out =
      changed(layout.mlp_norm(0), setup.shape.width(), [](std::size_t, double) { return 1.0; });
  EXPECT_GT(timed_logits_error(model.decoder(), leaves_out, random_text(setup, kTimedTokens, 5)),
            allowed.decoded);
}

// One way turns keys and queries by other angles than the other.
TEST_P(Planted, AWayThatIsNotTheOtherShowsInTheTimedModel) {
  DecoderSetup other = setup;
  other.shape.rope_theta /= 10;
  DecoderInMemory turned(other, source);
  const Text piece = random_text(setup, kTimedPiece, 5);
  EXPECT_GT(cache_error(model.decoder(), turned.decoder(), piece), allowed.logits);
  EXPECT_GT(cache_error(turned.decoder(), model.decoder(), piece), allowed.logits);
}

INSTANTIATE_TEST_SUITE_P(Types, Planted,
                         testing::Values(WeightType::fp32, WeightType::bf16, WeightType::int8,
                                         WeightType::nf4),
                         [](const auto& test) { return name_of(test.param); });

TEST(GreedyTokens, OneThatIsNotTheMostProbableCounts) {
  const DecoderSetup setup = small_setup(timed_setup());
  const SmallParameters source(setup.shape, 5);
  DecoderInMemory model(setup, source);
  const Text drawn = draw_text(setup, source, 5);
  const float* logits = model.decoder().advance(drawn.tokens.data(), drawn.length);
  Text text = continue_greedily(model.decoder(), drawn, logits, 3);
  const ReferenceLogits want =
      reference_logits(setup.shape, stored_parameters(model.decoder()), text);
  EXPECT_EQ(wrong_greedy_tokens(want, text, drawn.length), 0U);
  text.tokens.back() = (text.tokens.back() + 1) % setup.shape.vocabulary;
  EXPECT_EQ(wrong_greedy_tokens(want, text, drawn.length), 1U);
}

}  // namespace
}  // namespace perf::workloads

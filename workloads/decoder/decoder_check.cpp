#include "workloads/decoder/decoder_check.h"

#include <algorithm>
#include <cmath>

#include "workloads/decoder/decoder_check_small.h"
#include "workloads/decoder/decoder_check_timed.h"
#include "workloads/kernels/agreement.h"
#include "workloads/kernels/few_rows.h"
#include "workloads/kernels/weight_products.h"

namespace perf::workloads {

namespace {

using perf_compare::StepEmitter;

void check_small(const DecoderSetup& timed, std::uint64_t seed, StepEmitter& out) {
  const DecoderTolerances allowed = tolerances(timed);
  const DecoderSetup setup = small_setup(timed);
  const SmallParameters source(setup.shape, seed);
  const Text drawn = draw_text(setup, source, seed);
  DecoderInMemory model(setup, source);
  Decoder& decoder = model.decoder();

  // The greedy tokens follow a piece of many rows, as they do in a generation.
  decoder.reset();
  const float* after = decoder.advance(drawn.tokens.data(), drawn.length);
  const Text text = continue_greedily(decoder, drawn, after, kSmallGreedy);
  const ReferenceLogits want = reference_logits(setup.shape, stored_parameters(decoder), text);
  const std::vector<float> one_piece = logits_in_one_piece(decoder, text);
  const std::vector<float> one_by_one = logits_one_by_one(decoder, text);
  if (is_exact(setup)) {
    out.check("greedy_tokens_match_reference",
              static_cast<double>(wrong_greedy_tokens(want, text, drawn.length)), 0);
  }
  double error = logit_error(one_piece, want, text);
  keep_worse(error, logit_error(one_by_one, want, text));
  out.check("logits_match_reference", error, allowed.logits);
  out.check("weights_match_reference", weights_error(decoder, source), allowed.weights);
  out.check("perplexity_change", perplexity_change(decoder, source, drawn), allowed.perplexity);
}

}  // namespace

std::vector<std::string> decoder_checks() {
  return {"greedy_tokens_match_reference", "logits_match_reference",
          "weights_match_reference",       "perplexity_change",
          "timed_logits_match_reference",  "timed_cache_matches_one_piece",
          "timed_weights_match_source"};
}

void check_decoder(Decoder& timed, const ParameterSource& source, std::uint64_t seed,
                   StepEmitter& out) {
  const DecoderSetup& setup = timed.setup();
  const DecoderTolerances allowed = tolerances(setup);
  check_small(setup, seed, out);
  out.check(
      "timed_logits_match_reference",
      timed_logits_error(timed, stored_parameters(timed), random_text(setup, kTimedTokens, seed)),
      allowed.decoded);
  out.check("timed_cache_matches_one_piece",
            cache_error(timed, timed, random_text(setup, kTimedLength, seed)), allowed.logits);
  out.check("timed_weights_match_source", some_weights_error(timed, source, seed), allowed.weights);
  timed.reset();
}

bool is_exact(const DecoderSetup& setup) {
  return setup.weights == WeightType::fp32 && setup.cache == DType::fp32;
}

// Sums in single precision of up to 200 products give 2e-6 of the largest logit, and single
// precision's exponentials no more. Kernels that multiply by quantized weights split the rows, too,
// into whole numbers, which takes 1e-4 to 3e-4. What is rounded to 16 bits, r = 2^-9 or 2^-12 of a
// value, adds up over values and layers: keys and values to 3 r, the rows and weights of products
// in bf16 to 6 r. Deep models do not add up more: their branches are damped.
DecoderTolerances tolerances(const DecoderSetup& setup) {
  DecoderTolerances allowed{.logits = 1e-5, .decoded = 1e-5, .weights = 0, .perplexity = 1e-5};
  const auto add = [&](double logits, double perplexity) {
    allowed.logits += logits;
    allowed.decoded += logits;
    allowed.perplexity += perplexity;
  };
  switch (setup.weights) {
    case WeightType::fp32:
      break;
    case WeightType::bf16:
      add(0, 5e-3);
      break;
    case WeightType::fp16:
      add(0, 1e-3);
      break;
    case WeightType::int8:
      add(4e-4, 1.5e-2);
      break;
    case WeightType::int4:
    case WeightType::nf4:
      add(8e-4, 0.3);
      break;
  }
  constexpr double kBf16 = 0x1p-9, kFp16 = 0x1p-12;  // roundings to the nearest
  if (setup.cache != DType::fp32) {
    const double rounding = setup.cache == DType::bf16 ? kBf16 : kFp16;
    add(6 * rounding, rounding);
  }
  if (product_type(setup.backend, setup.weights) == DType::bf16) {
    const double without = allowed.decoded;
    add(12 * kBf16, 2 * kBf16);
    if (setup.sequences <= kFewRows)  // decoded by products that round nothing
    {
      allowed.decoded = without;
    }
  }
  return allowed;
}

}  // namespace perf::workloads

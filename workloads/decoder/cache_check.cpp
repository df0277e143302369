#include "workloads/decoder/cache_check.h"

#include <algorithm>
#include <cmath>

#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_check_timed.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kPrompt = 20, kGreedy = 6;  // more than a product of few rows has

}  // namespace

CacheErrors without_cache_errors(Decoder& cached, Decoder& uncached, std::uint64_t seed) {
  const DecoderSetup& setup = cached.setup();
  const std::size_t vocabulary = setup.shape.tokens();
  Text text = random_text(setup, kPrompt + kGreedy, seed);
  const std::size_t greedy = std::min(kGreedy, text.length - 1);
  text = text.part(0, text.length - greedy);

  cached.reset();
  const Text longer =
      continue_greedily(cached, text, cached.advance(text.tokens.data(), text.length), greedy);
  // The tokens are known now: their logits again, over the cache.
  const std::vector<float> want = logits_one_by_one(cached, longer);
  CacheErrors errors;
  for (std::size_t length = text.length; length < longer.length; ++length) {
    uncached.reset();
    const float* logits = uncached.advance(longer.part(0, length).tokens.data(), length);
    for (std::size_t i = 0; i < setup.sequences; ++i) {
      const float* got = logits + i * vocabulary;
      const float* over_cache = &want[(i * longer.length + length - 1) * vocabulary];
      keep_worse(errors.logits, largest_relative_error(got, over_cache, vocabulary));
      if (!is_most_probable(got, vocabulary, longer.sequence(i)[length])) {
        ++errors.tokens;
      }
    }
  }
  cached.reset();
  uncached.reset();
  return errors;
}

std::vector<std::string> without_cache_checks() {
  return {"logits_match_cached", "tokens_match_cached"};
}

void check_without_cache(Decoder& decoder, std::uint64_t seed, perf_compare::StepEmitter& out) {
  const CacheErrors errors = without_cache_errors(decoder, decoder, seed);
  out.check("logits_match_cached", errors.logits, tolerances(decoder.setup()).logits);
  if (is_exact(decoder.setup())) {
    out.check("tokens_match_cached", static_cast<double>(errors.tokens), 0);
  }
}

}  // namespace perf::workloads

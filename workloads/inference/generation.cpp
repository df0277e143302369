#include "workloads/inference/generation.h"

#include <algorithm>

#include "workloads/kernels/random.h"

namespace perf::workloads {

Generation::Generation(Decoder& decoder, std::size_t prompt_tokens, std::size_t new_tokens,
                       SamplingOptions options, std::uint64_t seed)
    : decoder_(decoder),
      prompt_tokens_(prompt_tokens),
      new_tokens_(new_tokens),
      options_(options),
      sample_seed_(derived_seed(seed, 2'000'000)),
      tokens_(prompt_tokens + new_tokens),
      probabilities_(decoder.shape().tokens()) {
  const std::uint32_t prompt_seed = derived_seed(seed, 2'000'001);
  for (std::size_t i = 0; i < prompt_tokens; ++i)
    tokens_[i] = static_cast<int>(random_bits(prompt_seed, static_cast<std::uint32_t>(i)) %
                                  static_cast<std::uint32_t>(decoder.shape().vocabulary));
}

int Generation::choose(std::size_t index) {
  const std::size_t count = probabilities_.size();
  if (options_.temperature == 0)
    return static_cast<int>(std::max_element(logits_, logits_ + count) - logits_);
  const Nucleus nucleus =
      find_nucleus(logits_, count, options_.temperature, options_.top_p, probabilities_.data());
  const float unit = random_unit(sample_seed_, static_cast<std::uint32_t>(index));
  return static_cast<int>(draw(nucleus, probabilities_.data(), count, unit));
}

Generation::Times Generation::run(perf_compare::StepEmitter& out) {
  Times times;
  decoder_.reset();
  logits_ = decoder_.advance(tokens_.data(), prompt_tokens_);
  times.first_token = out.phase("prefill");
  for (std::size_t i = 0; i < new_tokens_; ++i) {
    int& token = tokens_[prompt_tokens_ + i];
    if (i > 0) {
      logits_ = decoder_.advance(&token - 1, 1);
      out.phase("decode");
    }
    token = choose(i);
    const double seconds = out.phase("sample");
    if (i == 0)
      times.first_token += seconds;
  }
  return times;
}

}  // namespace perf::workloads

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/inference/decoder.h"
#include "workloads/kernels/sampling.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

struct SamplingOptions {
  float temperature = 0.7F;  ///< 0 takes the most probable token
  float top_p = 0.9F;
};

/// Generates `new_tokens` after a random prompt, again and again the same ones: the random numbers
/// start anew with every run(), so that each step does the same work.
class Generation {
 public:
  Generation(Decoder& decoder, std::size_t prompt_tokens, std::size_t new_tokens,
             SamplingOptions options, std::uint64_t seed);

  struct Times {
    double first_token = 0;  ///< s from the prompt to the first token
  };
  /// One generation; its phases prefill, decode and sample go to the running step of `out`.
  Times run(perf_compare::StepEmitter& out);

  /// Prompt and generated tokens of the last run.
  const std::vector<int>& tokens() const { return tokens_; }
  /// The logits that the last generated token was drawn from.
  const float* last_logits() const { return logits_; }
  const std::vector<float>& probabilities() const { return probabilities_; }

 private:
  int choose(std::size_t index);

  Decoder& decoder_;
  std::size_t prompt_tokens_, new_tokens_;
  SamplingOptions options_;
  std::uint32_t sample_seed_;
  std::vector<int> tokens_;
  std::vector<float> probabilities_;
  const float* logits_ = nullptr;
};

}  // namespace perf::workloads

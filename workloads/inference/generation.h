#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/decoder/decoder.h"
#include "workloads/kernels/sampler.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// Of the random numbers that prompts are made of, and that tokens are drawn by.
inline constexpr std::uint32_t kPromptStream = 2'000'001, kUnitStream = 2'000'000;

struct GenerationSetup {
  std::size_t prompt = 128, new_tokens = 100;  ///< of each sequence
  SamplingOptions sampling = {};
  bool cached = true;  ///< else every token comes from a pass over all tokens so far
  std::vector<int> prompt_tokens = {};  ///< of each sequence, as many as prompt; none: random ones
};

/// Generates new tokens after a prompt, again and again the same ones: random numbers start
/// anew with every run(), so that each step does the same work. Each of the decoder's sequences has
/// its own prompt, where that is random, and its own random numbers; the same with a cache and
/// without.
class Generation {
 public:
  /// The decoder has room for prompt and new tokens: as positions, and in one call as rows of the
  /// prompt, or of all tokens where it is not cached. Throws what Sampler throws.
  Generation(Decoder& decoder, const GenerationSetup& setup, std::uint64_t seed);

  /// One generation; its phases prefill, decode and sample go to the running step of `out`.
  void run(perf_compare::StepEmitter& out);

  /// Of the last run: the first from its beginning on, the others from the one before on.
  const std::vector<double>& token_seconds() const { return token_seconds_; }
  double prefill_seconds() const { return prefill_seconds_; }
  double decode_seconds() const { return decode_seconds_; }
  double sample_seconds() const { return sample_seconds_; }
  /// What decoding read: weights, keys and values.
  double decode_bytes() const { return decode_bytes_; }

  const GenerationSetup& setup() const { return setup_; }
  /// Prompt and generated tokens of a sequence in the last run.
  const std::vector<int>& tokens(std::size_t sequence) const { return tokens_[sequence]; }
  /// What a sequence's new token is drawn with, in [0,1).
  double unit(std::size_t sequence, std::size_t index) const;

  /// Rows of a decoder's widest call.
  static std::size_t most_rows(const GenerationSetup& setup, std::size_t sequences) {
    return sequences * (setup.cached ? setup.prompt : setup.prompt + setup.new_tokens - 1);
  }

 private:
  /// Tokens first .. first + count of each sequence, side by side.
  const float* advance(std::size_t first, std::size_t count);
  /// The new tokens of an index, from logits (B,V).
  void choose(std::size_t index, const float* logits);

  Decoder& decoder_;
  GenerationSetup setup_;
  std::uint32_t unit_seed_;
  Ledger memory_;
  Sampler sampler_;                       // uses the memory
  std::vector<std::vector<int>> tokens_;  // by sequence
  std::vector<int> rows_;                 // tokens of one call
  std::vector<double> token_seconds_;
  double prefill_seconds_ = 0, decode_seconds_ = 0, sample_seconds_ = 0, decode_bytes_ = 0;
};

}  // namespace perf::workloads

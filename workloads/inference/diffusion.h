#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/decoder/decoder.h"
#include "workloads/kernels/sampler.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

struct DiffusionSetup {
  std::size_t prompt = 128, new_tokens = 64;
  std::size_t denoising_steps = 16;  ///< at most new_tokens, so that each unmasks some
  SamplingOptions sampling;
};

/// Generates text by masked diffusion as LLaDA does (Nie et al., arXiv:2502.09992, section 2.4 and
/// algorithm 5): after a random prompt all new tokens are masked. Each denoising step predicts all
/// that still are by one bidirectional pass, draws a token for each, and keeps those that the model
/// gives the highest probability ("low-confidence remasking"); the others stay masked. A linear
/// schedule: each step keeps as many, the first ones one more where that does not come out even.
/// The mask is the vocabulary's last token, and never drawn. Every run() does the same.
class Diffusion {
 public:
  /// A token that was kept; in the order of steps, and in a step of confidence.
  struct Kept {
    std::size_t step, position;
    int token;
    float confidence;  ///< its probability at temperature 1
  };

  /// The decoder has one sequence and room for all tokens, as positions and as rows of a call.
  /// Throws std::invalid_argument for a setup without new tokens, without steps, or with more of
  /// them than tokens, and what Sampler throws.
  Diffusion(Decoder& decoder, const DiffusionSetup& setup, std::uint64_t seed);

  /// One generation; its phases forward and sample go to the running step of `out`. Allocates
  /// nothing.
  void run(perf_compare::StepEmitter& out);

  const DiffusionSetup& setup() const { return setup_; }
  int mask() const { return mask_; }
  /// Prompt and new tokens, of the last run.
  const std::vector<int>& tokens() const { return tokens_; }
  const std::vector<Kept>& kept() const { return kept_; }
  double sample_seconds() const { return sample_seconds_; }

  /// How many tokens a denoising step keeps.
  static std::size_t kept_in(const DiffusionSetup& setup, std::size_t step);
  /// Floating-point operations of the products of a run: each step all rows through all layers,
  /// every query with all keys, and the logits of those masked.
  static double operations(const DiffusionSetup& setup, const ModelShape& shape);

 private:
  void predict(std::size_t step, std::size_t index, const float* logits);
  void keep_most_confident(std::size_t step);

  Decoder& decoder_;
  DiffusionSetup setup_;
  int mask_;
  std::uint32_t unit_seed_;
  Ledger memory_;
  Sampler sampler_;  // uses the memory
  std::vector<int> tokens_;
  std::vector<int> masked_;        // their positions, ascending
  std::vector<Kept> predictions_;  // of a step: what would be kept
  std::vector<Kept> kept_;
  double sample_seconds_ = 0;
};

}  // namespace perf::workloads

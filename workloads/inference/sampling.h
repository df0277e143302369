#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/kernels/sampler.h"

namespace perf::workloads {

/// What tokens are drawn from.
struct SamplingSetup {
  SamplingOptions options;
  std::size_t vocabulary = 32'000;
  /// Of the logits after they have been divided by the temperature: 3 is what language models
  /// have about; near 1 they tell little, and a nucleus holds most of the vocabulary.
  double deviation = 3;
  std::size_t vectors = 8;   ///< of logits, used in turn, so that they do not stay in the caches
  std::size_t samples = 16;  ///< tokens a step
};

/// Draws token after token, from one vector of logits after the other.
class Sampling {
 public:
  /// Draw n has a unit by its number, so that every step draws other tokens, and a seed always the
  /// same. Over a counting Ledger it can do nothing else. Throws what Sampler throws.
  Sampling(const SamplingSetup& setup, std::uint64_t seed, Ledger& memory);

  /// Draws the next `samples` tokens.
  void step();
  /// Draw n, whichever were drawn before: its token.
  std::size_t choose(std::size_t draw) {
    return sampler_.choose(logits(draw % setup_.vectors), unit(draw));
  }

  const SamplingSetup& setup() const { return setup_; }
  /// Vector i of those used in turn: (vocabulary).
  const float* logits(std::size_t i) const { return logits_ + i * stride_; }
  std::size_t working_set() const { return setup_.vectors * setup_.vocabulary * sizeof(float); }

  struct Draw {
    double unit = 0;
    std::size_t token = 0;
  };
  /// The draws from vector i, in their order: of the last kKeptDraws from all vectors.
  std::vector<Draw> draws(std::size_t i) const;
  double unit(std::size_t draw) const;

  static constexpr std::size_t kKeptDraws = 1 << 16;

 private:
  SamplingSetup setup_;
  std::uint32_t unit_seed_;
  std::size_t stride_;  // from one vector to the next, so that each begins a cache line
  float* logits_;
  std::uint32_t* tokens_;  // (kKeptDraws): of draw n at n % kKeptDraws
  Sampler sampler_;
  std::size_t drawn_ = 0;
};

}  // namespace perf::workloads

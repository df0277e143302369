#pragma once

#include <cstddef>

namespace perf::workloads {

/// What a language model's sampler may choose from.
struct Nucleus {
  float threshold = 0;  ///< of the unnormalized probabilities: the nucleus is what reaches it
  double mass = 0;      ///< their sum
  std::size_t size = 0;
};

/// probabilities (count) = exp((logits - max) / temperature), unnormalized, the largest being 1.
/// Returns the nucleus for top_p in (0,1]: the most probable tokens whose sum reaches top_p of all
/// (Holtzman et al., arXiv:1904.09751). Found by halving an interval of thresholds, so that the
/// vocabulary is never sorted.
Nucleus find_nucleus(const float* logits, std::size_t count, float temperature, float top_p,
                     float* probabilities);
/// The same by sorting.
Nucleus find_nucleus_reference(const float* logits, std::size_t count, float temperature,
                               float top_p);

/// The token at share `unit` in [0,1) of the nucleus's mass.
std::size_t draw(const Nucleus& nucleus, const float* probabilities, std::size_t count,
                 double unit);

}  // namespace perf::workloads

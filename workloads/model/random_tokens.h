#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kernels/random.h"

namespace perf::workloads {

/// Token `index` of a seed's random text: below `vocabulary`.
inline int random_token(std::uint32_t seed, std::size_t index, std::size_t vocabulary) {
  return static_cast<int>(random_bits(seed, static_cast<std::uint32_t>(index)) % vocabulary);
}

/// The first `count` of them: a prompt where the numbers of its tokens do not matter.
inline std::vector<int> random_tokens(std::uint32_t seed, std::size_t count,
                                      std::size_t vocabulary) {
  std::vector<int> tokens(count);
  for (std::size_t i = 0; i < count; ++i) {
    tokens[i] = random_token(seed, i, vocabulary);
  }
  return tokens;
}

}  // namespace perf::workloads

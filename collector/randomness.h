#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/invocation.h"

namespace perf {

/// Paddings of the environment block are below this, in bytes: a page, so that the stack starts at
/// every offset that it can.
inline constexpr int kPaddingRange = 4096;

/// The random choices for one attempt at one pair. A pure function of its key, so that a run can be
/// repeated from its stored seed and no pair's draw depends on another's.
struct PairDraw {
  Side first = Side::base;                 ///< which side runs first
  int base_padding = 0, head_padding = 0;  ///< B, uniform in [0, kPaddingRange)
  std::uint64_t seed = 0;                  ///< PERF_COMPARE_SEED of both sides; below 2^32
};

/// Draws from SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014, figure 17), seeded with a hash of the key. All attempts at a pair have one seed; it
/// fits 32 bits, which the generators of every language accept.
PairDraw draw_pair(std::uint64_t plan_seed, std::string_view workload, int pair, int attempt);

/// 128 random bits of the kernel in hexadecimal: unique across machines that share a store. Throws
/// Error where the kernel provides none.
std::string new_id();

/// 32 random bits: short enough to type, and exact in JSON readers that use doubles. Throws Error
/// where the kernel provides none.
std::uint32_t new_seed();

}  // namespace perf

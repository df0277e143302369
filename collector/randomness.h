#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/invocation.h"

namespace perf {

/// Paddings of the environment block are below this, in bytes: a page, so that the stack starts at
/// every offset that it can.
inline constexpr int kPaddingRange = 4096;

/// What chance decides about one try of one pair. A pure function of its key, so that a run can be
/// repeated from its stored seed, and one pair's draw depends on no other's.
struct PairDraw {
  Side first = Side::base;                 ///< which side runs first
  int base_padding = 0, head_padding = 0;  ///< B, uniform in [0, kPaddingRange)
  std::uint64_t seed = 0;                  ///< PERF_COMPARE_SEED of both sides; below 2^32
};

/// Draws from SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014, figure 17), its state begun as a hash of the key. The seed is one of the pair and
/// not of the attempt; it fits the 32 bits that every language's generators take.
PairDraw draw_pair(std::uint64_t plan_seed, std::string_view workload, int pair, int attempt);

/// 128 random bits of the kernel in hexadecimal: what is made on different machines meets in one
/// store. Throws Error where the kernel gives none.
std::string new_id();

/// 32 random bits: short enough to type again, and exact in readers of JSON that know only
/// doubles. Throws Error where the kernel gives none.
std::uint32_t new_seed();

}  // namespace perf

#include "collector/randomness.h"

#include <sys/random.h>

#include <cerrno>

#include "schema/error.h"
#include "schema/text/fnv.h"

namespace perf {
namespace {

/// SplitMix64: the state advances by the golden ratio, the output is a mix of it (the paper's mix64
/// with Stafford's variant 13 constants).
struct SplitMix64 {
  std::uint64_t state = 0;

  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
};

/// One generator for each key, whose parts are mixed in one after the other.
SplitMix64 generator_for(std::uint64_t plan_seed, std::string_view workload, std::uint64_t pair,
                         std::uint64_t attempt) {
  SplitMix64 generator{plan_seed};
  for (const std::uint64_t part : {fnv1a_64(workload), pair, attempt}) {
    generator.state = generator.next() ^ part;
  }
  return generator;
}

/// Bits that are unique on all machines.
template <typename T>
T random_bits() {
  T bits{};
  while (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) {
    if (errno != EINTR) {
      throw Error("the kernel provides no random numbers", "getrandom");
    }
  }
  return bits;
}

}  // namespace

std::string new_id() {
  return hexadecimal(random_bits<std::uint64_t>()) + hexadecimal(random_bits<std::uint64_t>());
}

std::uint32_t new_seed() {
  return random_bits<std::uint32_t>();
}

PairDraw draw_pair(std::uint64_t plan_seed, std::string_view workload, int pair, int attempt) {
  const auto pair_key = static_cast<std::uint64_t>(pair);
  SplitMix64 of_pair = generator_for(plan_seed, workload, pair_key, 0);
  SplitMix64 of_attempt =
      generator_for(plan_seed, workload, pair_key, static_cast<std::uint64_t>(attempt));
  PairDraw draw;
  draw.seed = of_pair.next() >> 32;
  draw.first = (of_attempt.next() >> 63) != 0 ? Side::head : Side::base;
  draw.base_padding = static_cast<int>(of_attempt.next() % kPaddingRange);
  draw.head_padding = static_cast<int>(of_attempt.next() % kPaddingRange);
  return draw;
}

}  // namespace perf

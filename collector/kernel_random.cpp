#include <sys/random.h>

#include <cerrno>

#include "collector/randomness.h"
#include "schema/error.h"
#include "schema/text/fnv.h"

namespace perf {
namespace {

/// Bits that nobody else on any machine draws.
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

}  // namespace perf

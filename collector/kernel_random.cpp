#include "collector/kernel_random.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "schema/error.h"

namespace perf {
namespace {

/// Bytes that nobody else on any machine draws.
template <typename T>
T random_bytes() {
  T bytes{};
  while (getrandom(&bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) {
    if (errno != EINTR) {
      throw Error("the kernel gives no random numbers", "getrandom");
    }
  }
  return bytes;
}

}  // namespace

std::string new_id() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id;
  for (const unsigned char byte : random_bytes<std::array<unsigned char, 16>>()) {
    id += kDigits[byte >> 4];
    id += kDigits[byte & 15];
  }
  return id;
}

std::uint32_t new_seed() {
  return random_bytes<std::uint32_t>();
}

}  // namespace perf

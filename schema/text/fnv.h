#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perf {

/// FNV-1a, 64 bit (Fowler, Noll, Vo; RFC 9923): small, stable over platforms and versions, no
/// defence against an adversary. `basis` continues an earlier hash.
constexpr std::uint64_t fnv1a_64(std::string_view bytes,
                                 std::uint64_t basis = 0xCBF29CE484222325u) {
  for (const char byte : bytes) {
    basis = (basis ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
  }
  return basis;
}

/// Its 16 digits.
inline std::string hexadecimal(std::uint64_t hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) {
    text += kDigits[(hash >> shift) & 15];
  }
  return text;
}

}  // namespace perf

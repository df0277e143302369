#include <array>
#include <cstring>

#include "schema/store/internal.h"

namespace perf::store {
namespace {

using SumBytes = std::array<unsigned char, kSumBytes>;

/// Lowest byte first, whatever the machine's order is: stores travel.
SumBytes bytes_of(std::uint64_t sum) {
  SumBytes bytes{};
  for (unsigned char& byte : bytes) {
    byte = static_cast<unsigned char>(sum & 255U);
    sum >>= 8U;
  }
  return bytes;
}

std::uint32_t word_at(const unsigned char* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8U |
         static_cast<std::uint32_t>(bytes[2]) << 16U | static_cast<std::uint32_t>(bytes[3]) << 24U;
}

}  // namespace

std::uint64_t page_sum(const unsigned char* bytes, std::size_t size, std::uint32_t page) {
  std::uint32_t first = page, second = ~page;
  for (std::size_t at = 0; at + kSumBytes < size; at += 8) {
    first += word_at(bytes + at) + second;
    second += word_at(bytes + at + 4) + first;
  }
  return static_cast<std::uint64_t>(second) << 32U | first;
}

void write_sum(unsigned char* bytes, std::size_t size, std::uint32_t page) {
  const SumBytes sum = bytes_of(page_sum(bytes, size, page));
  std::memcpy(bytes + size - sum.size(), sum.data(), sum.size());
}

bool has_sum(const unsigned char* bytes, std::size_t size, std::uint32_t page) {
  const SumBytes sum = bytes_of(page_sum(bytes, size, page));
  return std::memcmp(bytes + size - sum.size(), sum.data(), sum.size()) == 0;
}

}  // namespace perf::store

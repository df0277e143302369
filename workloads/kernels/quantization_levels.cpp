#include "workloads/kernels/quantization_levels.h"

#include <array>

#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

namespace {

// An integer of `bits` bits in two's complement, out of a byte that has it `shift` bits up.
template <std::size_t bits>
float integer_at(std::uint8_t byte, std::size_t shift) {
  const auto topmost =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(byte) << (32 - bits - shift));
  return static_cast<float>(topmost >> (32 - bits));
}

// in_byte codes to a byte. level_of(byte, shift)
template <std::size_t in_byte, class LevelOf>
void unpack(const std::uint8_t* codes, std::size_t count, float* levels, LevelOf level_of) {
  constexpr std::size_t kBits = 8 / in_byte;
  const std::size_t bytes = count / in_byte;
#pragma omp simd
  for (std::size_t i = 0; i < bytes; ++i) {
    for (std::size_t j = 0; j < in_byte; ++j) {
      levels[i * in_byte + j] = level_of(codes[i], j * kBits);
    }
  }
  for (std::size_t i = bytes * in_byte; i < count; ++i) {
    levels[i] = level_of(codes[i / in_byte], i % in_byte * kBits);
  }
}

void unpack_bytes(CodeType type, const std::uint8_t* codes, std::size_t count, float* levels) {
  switch (type) {
    case CodeType::int8:
      return unpack<1>(codes, count, levels, integer_at<8>);
    case CodeType::int4:
      return unpack<2>(codes, count, levels, integer_at<4>);
    case CodeType::int2:
      return unpack<4>(codes, count, levels, integer_at<2>);
    case CodeType::nf4:
      return unpack<2>(codes, count, levels, [](std::uint8_t byte, std::size_t shift) {
        return kNf4Levels[(byte >> shift) & 15U];
      });
  }
}

}  // namespace

void unpack_levels(CodeType type, const std::uint8_t* codes, std::size_t begin, std::size_t count,
                   float* levels) {
  // A group may begin inside of a byte: its first codes one by one, up to a whole byte.
  const std::size_t bits = bits_of(type), in_byte = 8 / bits;
  std::array<float, 4> of_byte{};
  for (; begin % in_byte != 0 && count > 0; ++begin, --count) {
    unpack_bytes(type, codes + begin / in_byte, in_byte, of_byte.data());
    *levels++ = of_byte[begin % in_byte];
  }
  unpack_bytes(type, codes + begin / in_byte, count, levels);
}

}  // namespace perf::workloads

#pragma once

// Registers full of codes. Only for the sources of kernels that are compiled for AVX-512 or AVX2.

#include <array>
#include <cstddef>
#include <cstdint>

#include "workloads/kernels/quantize.h"
#include "workloads/kernels/quantize_registers.h"
#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

inline constexpr std::size_t kUnit = 32;  // values that share a scale in any case

template <CodeType type>
inline constexpr std::size_t kBits = type == CodeType::int8 ? 8 : (type == CodeType::int2 ? 2 : 4);
/// Values whose codes fill a register.
template <CodeType type>
inline constexpr std::size_t kLineValues = kLaneBytes * 8 / kBits<type>;

/// Cell i of a level x, whose whole part is that of kMiddle + x (kSlope - kBend |x|), has exactly
/// one border: that between levels i and i + 1. So the code is i, or one more past the border. The
/// numbers are those that keep all borders furthest from the cells' ends, a quarter of a cell.
struct Nf4Cells {
  static constexpr float kMiddle = 7.24F, kSlope = 12.9F, kBend = 5.5F;
  alignas(64) std::array<float, 16> borders{};

  constexpr Nf4Cells() {
    for (std::size_t i = 0; i < 15; ++i) {
      borders[i] = (kNf4Levels[i] + kNf4Levels[i + 1]) / 2;
    }
    borders[15] = 2;  // past all levels
  }
};
inline constexpr Nf4Cells kNf4Cells;

constexpr bool each_cell_has_its_border() {
  for (std::size_t i = 0; i < 15; ++i) {
    const float x = kNf4Cells.borders[i];
    const float cell =
        Nf4Cells::kMiddle + x * (Nf4Cells::kSlope - Nf4Cells::kBend * (x < 0 ? -x : x));
    if (cell < static_cast<float>(i) + 0.25F || cell > static_cast<float>(i) + 0.75F) {
      return false;
    }
  }
  return true;
}
static_assert(each_cell_has_its_border());

// |x| is at most 1 + 2^-7, of which the cell is more than -1 and less than 16.
inline Ints nf4_codes(Floats x, const FloatTable& borders) {
  const Floats slope = same(Nf4Cells::kSlope) - same(Nf4Cells::kBend) * magnitudes(x);
  const Ints cell = truncated(x * slope + same(Nf4Cells::kMiddle));
  return one_more_past(cell, x, borders[cell]);
}

// The codes of 4 kLanes values, one to a byte. inverses: one for each unit.
template <CodeType type>
inline Ints byte_codes(const float* in, const float* inverses, const FloatTable& borders) {
  Ints codes[4];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    const Floats x = load_floats(in + i * kLanes) * same(inverses[i * kLanes / kUnit]);
    codes[i] = type == CodeType::nf4 ? nf4_codes(x, borders) : rounded(x);
  }
  const Ints bytes = bytes_of<type != CodeType::nf4>(codes[0], codes[1], codes[2], codes[3]);
  // Only the upper end has to be limited: see round_to_integers() of quantize_run.cpp.
  if constexpr (type == CodeType::int4) {
    return limited_bytes(bytes, 7, 15);
  } else if constexpr (type == CodeType::int2) {
    return limited_bytes(bytes, 1, 3);
  } else {
    return bytes;
  }
}

// The codes of kLineValues values.
template <CodeType type>
inline Ints line_of(const float* in, const float* inverses, const FloatTable& borders) {
  const auto bytes = [&](std::size_t i) {
    return byte_codes<type>(in + i * kLaneBytes, inverses + i * kLaneBytes / kUnit, borders);
  };
  if constexpr (type == CodeType::int8) {
    return bytes(0);
  } else if constexpr (type == CodeType::int2) {
    const auto fours = [&](std::size_t i) { return join_halves<4>(join_bytes<2>(bytes(i))); };
    return bytes_of<false>(fours(0), fours(1), fours(2), fours(3));
  } else {
    const Ints first = join_bytes<4>(bytes(0));
    return lower_bytes_of(first, join_bytes<4>(bytes(1)));
  }
}

}  // namespace perf::workloads

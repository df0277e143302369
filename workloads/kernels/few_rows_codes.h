#pragma once

// The words of a group of quantized weights times prepared inputs: Bytes for int8, Int4 for it,
// Nibbles for nf4. Each multiplies the words of kPairLanes rows (few_rows_codes_avx2.h: of one
// register of them or two) with `count` inputs from `input` on. Only for the sources of kernels.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "workloads/kernels/few_rows_kernels.h"
#include "workloads/kernels/quantized_group.h"
#include "workloads/kernels/quantized_inputs.h"
#include "workloads/kernels/quantized_lanes.h"
#include "workloads/kernels/quantized_tiles.h"

namespace perf::workloads {

// The words of all rows of a tile: a cache line.
inline constexpr std::size_t kWordBytes = kTileRows * sizeof(std::int32_t);

// Two numbers, or four bytes, as bits. Each for itself: of several copied at once GCC 12 makes
// detours through other registers.
inline std::int32_t factors_at(const std::int16_t* from) {
  std::int32_t factors;
  std::memcpy(&factors, from, sizeof factors);
  return factors;
}

inline IntegerLevels integer_levels(WeightType type) {
  IntegerLevels result{};
  const std::array<float, 16> levels = four_bit_levels(type);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    result[i] = static_cast<std::int16_t>(
        std::lround(levels[i] * (type == WeightType::nf4 ? kNf4Units : 1)));
  }
  return result;
}

}  // namespace perf::workloads

#if defined(__AVX2__) && defined(__FMA__) && !defined(__AVX512BW__)
#include "workloads/kernels/few_rows_codes_avx2.h"
#else

namespace perf::workloads {

// Sums of whole numbers for so many inputs. Of few there are two each, so that one addition need
// not wait for the one before.
template <std::size_t count>
struct Chains {
  static constexpr std::size_t kChains = count <= 2 ? 2 : 1;
  Counts chains[kChains][count] = {};

  Counts (&operator[](std::size_t i))[count] { return chains[i % kChains]; }
  Counts sum(std::size_t i) const {
    return kChains == 1 ? chains[0][i] : add_counts(chains[0][i], chains[kChains - 1][i]);
  }
};

struct Bytes {
  static constexpr std::size_t kWords = WeightMatrix::kGroup / 4;

  explicit Bytes(WeightType) {}
  template <std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[1][count]) const;
};

struct Nibbles {
  static constexpr std::size_t kWords = WeightMatrix::kGroup / 8;
  LevelTable table;

  explicit Nibbles(WeightType type) : table(integer_levels(type)) {}
  template <std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[1][count]) const;
};

#if defined(__AVX512VNNI__)
// The same sums for int4 in little more than half the instructions: codes are raised by 8 to
// unsigned bytes, for which the offset makes up, and multiplied with the numbers' two bytes apart.
struct SplitNibbles {
  static constexpr std::size_t kWords = WeightMatrix::kGroup / 8;

  explicit SplitNibbles(WeightType) {}
  template <std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[1][count]) const;
};
using Int4 = SplitNibbles;
#else
using Int4 = Nibbles;
#endif

template <std::size_t count>
inline void add_pairs(Pairs pairs, const std::int16_t* numbers, std::size_t stride,
                      Counts (&counts)[count]) {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    counts[i] = add_products(counts[i], pairs, factors_at(numbers + i * stride));
  }
}

template <std::size_t count>
inline void Bytes::multiply(const std::byte* words, const PreparedInputs& prepared,
                            std::size_t input, std::size_t group, Counts (&sums)[1][count]) const {
  const std::int16_t* numbers = prepared.row(input) + group * WeightMatrix::kGroup;
  const std::size_t stride = prepared.columns;
  Chains<count> counts;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kWords; ++i) {
    fetch_ahead(words + i * kWordBytes);
    const Pairs four = load_words(words + i * kWordBytes);
    add_pairs(lower_bytes(four), numbers + 4 * i, stride, counts[0]);
    add_pairs(upper_bytes(four), numbers + 4 * i + 2, stride, counts[1]);
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    sums[0][i] = counts.sum(i);
  }
}

template <std::size_t count>
inline void Nibbles::multiply(const std::byte* words, const PreparedInputs& prepared,
                              std::size_t input, std::size_t group,
                              Counts (&sums)[1][count]) const {
  const std::int16_t* numbers = prepared.row(input) + group * WeightMatrix::kGroup;
  const std::size_t stride = prepared.columns;
  Chains<count> counts;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kWords; ++i) {
    fetch_ahead(words + i * kWordBytes);
    const Pairs eight = load_words(words + i * kWordBytes);
    add_pairs(nibble_levels<0>(eight, table), numbers + 8 * i, stride, counts[0]);
    add_pairs(nibble_levels<1>(eight, table), numbers + 8 * i + 2, stride, counts[1]);
    add_pairs(nibble_levels<2>(eight, table), numbers + 8 * i + 4, stride, counts[0]);
    add_pairs(nibble_levels<3>(eight, table), numbers + 8 * i + 6, stride, counts[1]);
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    sums[0][i] = counts.sum(i);
  }
}

#if defined(__AVX512VNNI__)
template <std::size_t count>
inline void SplitNibbles::multiply(const std::byte* words, const PreparedInputs& prepared,
                                   std::size_t input, std::size_t group,
                                   Counts (&sums)[1][count]) const {
  Counts upper[count] = {}, lower[count];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    lower[i] = same_counts(prepared.row_offsets(input + i)[group]);
  }
#pragma GCC unroll 4
  for (std::size_t word = 0; word < kWords; ++word) {
    fetch_ahead(words + word * kWordBytes);
    const Pairs eight = load_words(words + word * kWordBytes);
    const Counts first = raised_nibbles<0>(eight), second = raised_nibbles<1>(eight);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) {
      const std::int16_t* own = prepared.row(input + i) + group * WeightMatrix::kGroup + word * 8;
      upper[i] = add_byte_products(upper[i], first, factors_at(own));
      lower[i] = add_byte_products(lower[i], first, factors_at(own + 2));
      upper[i] = add_byte_products(upper[i], second, factors_at(own + 4));
      lower[i] = add_byte_products(lower[i], second, factors_at(own + 6));
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    sums[0][i] = join_counts(upper[i], lower[i]);
  }
}
#endif

}  // namespace perf::workloads

#endif

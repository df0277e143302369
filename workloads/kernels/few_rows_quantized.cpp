#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "workloads/kernels/few_rows_kernels.h"
#include "workloads/kernels/quantized_group.h"
#include "workloads/kernels/quantized_inputs.h"
#include "workloads/kernels/quantized_lanes.h"
#include "workloads/kernels/quantized_tiles.h"

// Products of whole numbers: the input is rounded to 16 bits a group (nf4: 14, and its levels too),
// codes become integers of 16 bits (int4: of 8, the input being split in two), and the sum over a
// group, which fits 32 bits, is exact on any CPU. A lane of a register belongs to a row, so nothing
// is ever added across lanes, and the input is broadcast in its own order. Against single precision
// this takes half the instructions, without which int4 would not keep up with memory.

namespace perf::workloads {

namespace {

constexpr std::size_t kGroup = WeightMatrix::kGroup;
static_assert(kRowTile == kTileRows);

// How far ahead of the weights in use the next ones are asked for.
constexpr std::size_t kPrefetchBytes = 6144;
constexpr std::size_t kCacheLine = 64;

// Inputs that the registers hold sums of at once.
constexpr std::size_t kMostAtOnce = kPairLanes == 16 ? 8 : 4;

// ---- the weights

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

// Each multiplies the words of one group with `count` inputs from `input` on.
struct Bytes {
  static constexpr std::size_t kWords = kGroup / 4;

  explicit Bytes(WeightType) {}
  template <std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[count]) const;
};

struct Nibbles {
  static constexpr std::size_t kWords = kGroup / 8;
  LevelTable table;

  static IntegerLevels integer_levels(WeightType type) {
    IntegerLevels result{};
    const std::array<float, 16> levels = four_bit_levels(type);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      result[i] = static_cast<std::int16_t>(
          std::lround(levels[i] * (type == WeightType::nf4 ? kNf4Units : 1)));
    }
    return result;
  }

  explicit Nibbles(WeightType type) : table(integer_levels(type)) {}
  template <std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[count]) const;
};

#if defined(__AVX512VNNI__)
// The same sums for int4 in little more than half the instructions: codes are raised by 8 to
// unsigned bytes, for which the offset makes up, and multiplied with the numbers' two bytes apart.
struct SplitNibbles {
  static constexpr std::size_t kWords = kGroup / 8;

  explicit SplitNibbles(WeightType) {}
  template <std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[count]) const;
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
    std::int32_t factors;
    std::memcpy(&factors, numbers + i * stride, sizeof factors);
    counts[i] = add_products(counts[i], pairs, factors);
  }
}

template <std::size_t count>
inline void Bytes::multiply(const std::byte* words, const PreparedInputs& prepared,
                            std::size_t input, std::size_t group, Counts (&sums)[count]) const {
  const std::int16_t* numbers = prepared.row(input) + group * kGroup;
  const std::size_t stride = prepared.columns;
  Chains<count> counts;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kWords; ++i) {
    const Pairs four = load_words(words + i * kTileRows * sizeof(std::int32_t));
    add_pairs(lower_bytes(four), numbers + 4 * i, stride, counts[0]);
    add_pairs(upper_bytes(four), numbers + 4 * i + 2, stride, counts[1]);
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = counts.sum(i);
  }
}

template <std::size_t count>
inline void Nibbles::multiply(const std::byte* words, const PreparedInputs& prepared,
                              std::size_t input, std::size_t group, Counts (&sums)[count]) const {
  const std::int16_t* numbers = prepared.row(input) + group * kGroup;
  const std::size_t stride = prepared.columns;
  Chains<count> counts;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kWords; ++i) {
    const Pairs eight = load_words(words + i * kTileRows * sizeof(std::int32_t));
    add_pairs(nibble_levels<0>(eight, table), numbers + 8 * i, stride, counts[0]);
    add_pairs(nibble_levels<1>(eight, table), numbers + 8 * i + 2, stride, counts[1]);
    add_pairs(nibble_levels<2>(eight, table), numbers + 8 * i + 4, stride, counts[0]);
    add_pairs(nibble_levels<3>(eight, table), numbers + 8 * i + 6, stride, counts[1]);
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = counts.sum(i);
  }
}

#if defined(__AVX512VNNI__)
template <std::size_t count>
inline void SplitNibbles::multiply(const std::byte* words, const PreparedInputs& prepared,
                                   std::size_t input, std::size_t group,
                                   Counts (&sums)[count]) const {
  Counts upper[count] = {}, lower[count];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    lower[i] = same_counts(prepared.row_offsets(input + i)[group]);
  }
#pragma GCC unroll 4
  for (std::size_t word = 0; word < kWords; ++word) {
    const Pairs eight = load_words(words + word * kTileRows * sizeof(std::int32_t));
    const Counts first = raised_nibbles<0>(eight), second = raised_nibbles<1>(eight);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) {
      std::int32_t factors[4];
      std::memcpy(factors, prepared.row(input + i) + group * kGroup + word * 8, sizeof factors);
      upper[i] = add_byte_products(upper[i], first, factors[0]);
      lower[i] = add_byte_products(lower[i], first, factors[1]);
      upper[i] = add_byte_products(upper[i], second, factors[2]);
      lower[i] = add_byte_products(lower[i], second, factors[3]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = join_counts(upper[i], lower[i]);
  }
}
#endif

// ---- the product

// kPairLanes rows of a row of tiles, whose first lane is at `tile`, with `count` inputs from
// `input` on: out (count, kTileRows).
template <class Codes, std::size_t count>
void multiply_lanes(const Codes& codes, const TileShape& shape, const std::byte* tile,
                    const PreparedInputs& prepared, std::size_t input, float* out) {
  constexpr std::size_t kWordBytes = kTileRows * sizeof(std::int32_t);
  const float* units = prepared.row_units(input);
  Sums sums[count] = {};
  for (std::size_t group = 0; group < prepared.groups; tile += shape.bytes) {
    for (std::size_t line = 0; line < shape.bytes; line += kCacheLine) {
      __builtin_prefetch(tile + kPrefetchBytes + line);
    }
    const std::byte* words = tile + shape.scale_bytes;
    for (const std::byte* scales = tile; scales < tile + shape.scale_bytes; scales += kWordBytes) {
      const Pairs two = load_words(scales);
#pragma GCC unroll 2
      for (std::size_t half = 0; half < 2; ++half, ++group) {
        Counts counts[count];
        codes.multiply(words, prepared, input, group, counts);
        const Sums scale = half == 0 ? lower_scales(two) : upper_scales(two);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < count; ++i) {
          sums[i] = add_scaled(sums[i], counts[i], scale, units[i * prepared.groups + group]);
        }
        words += Codes::kWords * kWordBytes;
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    store_sums(sums[i], out + i * kTileRows);
  }
}

template <class Codes, std::size_t count>
void multiply_tile_row(const Codes& codes, const FewRowsCall& call, const PreparedInputs& prepared,
                       std::size_t input, std::size_t row) {
  const WeightMatrix& weights = call.weights;
  const TileShape shape = tile_shape(weights.type);
  const std::byte* tile = weights.values + row * tiles_of_row(weights.type, weights.columns) *
                                               (shape.bytes / kTileRows);
  float sums[count * kTileRows];
  for (std::size_t lane = 0; lane < kTileRows; lane += kPairLanes) {
    multiply_lanes<Codes, count>(codes, shape, tile + lane * sizeof(std::int32_t), prepared, input,
                                 sums + lane);
  }
  const std::size_t rows = std::min(kTileRows, weights.rows - row);
  for (std::size_t i = 0; i < count; ++i) {
    float* out = call.out + (input + i) * weights.rows + row;
    for (std::size_t j = 0; j < rows; ++j) {
      out[j] = sums[i * kTileRows + j] + (call.beta == 0 ? 0 : call.beta * out[j]);
    }
  }
}

// `count` inputs, or as many less as there are.
template <class Codes, std::size_t count>
void multiply_inputs(const Codes& codes, const FewRowsCall& call, const PreparedInputs& prepared,
                     std::size_t input, std::size_t row) {
  if constexpr (count > 0) {
    if (call.count - input >= count) {
      multiply_tile_row<Codes, count>(codes, call, prepared, input, row);
    } else {
      multiply_inputs<Codes, count - 1>(codes, call, prepared, input, row);
    }
  }
}

template <class Codes>
void multiply(const FewRowsCall& call, std::size_t first, std::size_t rows) {
  const Codes codes(call.weights.type);
  const PreparedInputs prepared = PreparedInputs::of(call, call.prepared);
  // What a second round over the same weights reads is still in the cache.
  for (std::size_t row = first; row < first + rows; row += kTileRows) {
    for (std::size_t input = 0; input < call.count; input += kMostAtOnce) {
      multiply_inputs<Codes, kMostAtOnce>(codes, call, prepared, input, row);
    }
  }
}

}  // namespace

FewRowsKernel few_rows_quantized(WeightType type) {
  return {.prepare = prepare_inputs,
          .multiply = type == WeightType::int8   ? multiply<Bytes>
                      : type == WeightType::int4 ? multiply<Int4>
                                                 : multiply<Nibbles>};
}

}  // namespace perf::workloads

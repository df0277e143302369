#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "workloads/kernels/few_rows_kernels.h"
#include "workloads/kernels/quantized_group.h"
#include "workloads/kernels/quantized_lanes.h"
#include "workloads/kernels/quantized_tiles.h"

// Products of whole numbers: the input is rounded to 16 bits a group (nf4: 14, and its levels too),
// codes become integers of 16 bits, and the sum over a group, which fits 32 bits, is exact on any
// CPU. A lane of a register belongs to a row, so nothing is ever added across lanes, and the input
// is broadcast in its own order. Against single precision this takes half the instructions, without
// which int4 would not keep up with memory.

namespace perf::workloads {

namespace {

constexpr std::size_t kGroup = WeightMatrix::kGroup;

static_assert(kRowTile == kTileRows);

// How far ahead of the weights in use the next ones are asked for.
constexpr std::size_t kPrefetchBytes = 6144;
constexpr std::size_t kCacheLine = 64;

// Inputs that the registers hold sums of at once.
constexpr std::size_t kMostAtOnce = kPairLanes == 16 ? 8 : 4;

// ---- the input

// The input's largest number of a group. Sums over a group have to fit 31 bits: the codes of int8
// and int4 leave room enough for all of 16 bits, while nf4 has to share with its levels.
constexpr float kMostInput = 32767, kMostNf4Input = 8191;
// The levels of nf4 in whole numbers.
constexpr float kNf4Units = 8191;
static_assert(kGroup * 8191ULL * 8191 < 1ULL << 31 && kGroup * 32767ULL * 128 < 1ULL << 31);

// The prepared inputs: whole numbers (count, padded columns), then (count, groups) what one of
// their units is worth.
struct Prepared {
  std::size_t columns, groups;
  std::byte* numbers;
  std::byte* units;

  static Prepared of(const FewRowsCall& call, const std::byte* memory) {
    const WeightType type = call.weights.type;
    const std::size_t columns = tiles_of_row(type, call.weights.columns) * tile_shape(type).columns;
    auto* start = const_cast<std::byte*>(memory);
    return {columns, columns / kGroup, start, start + call.count * columns * sizeof(std::int16_t)};
  }
  std::int16_t* row(std::size_t i) const {
    return reinterpret_cast<std::int16_t*>(numbers) + i * columns;
  }
  float* row_units(std::size_t i) const { return reinterpret_cast<float*>(units) + i * groups; }
};

// out (kGroup) = in / unit, rounded to nearest even. Returns the unit.
float round_input(const float* in, float most, std::int16_t* out) {
  // Magnitudes by their bits: as integers they are in the same order, infinity and NaN on top.
  std::uint32_t bits = 0;
#pragma omp simd reduction(max : bits)
  for (std::size_t i = 0; i < kGroup; ++i)
    bits = std::max(bits, std::bit_cast<std::uint32_t>(in[i]) & 0x7fffffffU);
  const float largest = std::bit_cast<float>(bits);
  constexpr float kSmallest = 0x1p-100F;  // its inverse, and what is made of it, stay finite
  if (!(largest >= kSmallest && largest <= std::numeric_limits<float>::max())) {
    std::fill_n(out, kGroup, std::int16_t{0});
    return largest < kSmallest ? 0 : std::numeric_limits<float>::quiet_NaN();
  }
  const float inverse = most / largest;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: leaves the integer in the sum's low bits
#pragma omp simd
  for (std::size_t i = 0; i < kGroup; ++i)
    out[i] = static_cast<std::int16_t>(std::bit_cast<std::uint32_t>(in[i] * inverse + kRound));
  return 1 / inverse;
}

void prepare(const FewRowsCall& call, std::byte* to) {
  const Prepared prepared = Prepared::of(call, to);
  for (std::size_t i = 0; i < call.count; ++i) {
    const float* in = call.in + i * call.weights.columns;
    for (std::size_t group = 0; group < prepared.groups; ++group) {
      const std::size_t begin = std::min(call.weights.columns, group * kGroup);
      const std::size_t count = std::min(kGroup, call.weights.columns - begin);
      const float* values = in + begin;
      float filled[kGroup] = {};
      if (count < kGroup)
        values = std::copy_n(values, count, filled) - count;
      std::int16_t* numbers = prepared.row(i) + group * kGroup;
      prepared.row_units(i)[group] = call.weights.type == WeightType::nf4
                                         ? round_input(values, kMostNf4Input, numbers) / kNf4Units
                                         : round_input(values, kMostInput, numbers);
    }
  }
}

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

// Both multiply the words of one group with `count` inputs, of which `numbers` are those of the
// group, a row every `stride`.
struct Bytes {
  static constexpr std::size_t kWords = kGroup / 4;

  explicit Bytes(WeightType) {}
  template <std::size_t count>
  void multiply(const std::byte* words, const std::int16_t* numbers, std::size_t stride,
                Chains<count>& counts) const;
};

struct Nibbles {
  static constexpr std::size_t kWords = kGroup / 8;
  LevelTable table;

  static IntegerLevels integer_levels(WeightType type) {
    IntegerLevels result{};
    const std::array<float, 16> levels = four_bit_levels(type);
    for (std::size_t i = 0; i < levels.size(); ++i)
      result[i] = static_cast<std::int16_t>(
          std::lround(levels[i] * (type == WeightType::nf4 ? kNf4Units : 1)));
    return result;
  }

  explicit Nibbles(WeightType type) : table(integer_levels(type)) {}
  template <std::size_t count>
  void multiply(const std::byte* words, const std::int16_t* numbers, std::size_t stride,
                Chains<count>& counts) const;
};

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
inline void Bytes::multiply(const std::byte* words, const std::int16_t* numbers, std::size_t stride,
                            Chains<count>& counts) const {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kWords; ++i) {
    const Pairs four = load_words(words + i * kTileRows * sizeof(std::int32_t));
    add_pairs(lower_bytes(four), numbers + 4 * i, stride, counts[0]);
    add_pairs(upper_bytes(four), numbers + 4 * i + 2, stride, counts[1]);
  }
}

template <std::size_t count>
inline void Nibbles::multiply(const std::byte* words, const std::int16_t* numbers,
                              std::size_t stride, Chains<count>& counts) const {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kWords; ++i) {
    const Pairs eight = load_words(words + i * kTileRows * sizeof(std::int32_t));
    add_pairs(nibble_levels<0>(eight, table), numbers + 8 * i, stride, counts[0]);
    add_pairs(nibble_levels<1>(eight, table), numbers + 8 * i + 2, stride, counts[1]);
    add_pairs(nibble_levels<2>(eight, table), numbers + 8 * i + 4, stride, counts[0]);
    add_pairs(nibble_levels<3>(eight, table), numbers + 8 * i + 6, stride, counts[1]);
  }
}

// ---- the product

// kPairLanes rows of a row of tiles, whose first lane is at `tile`, with `count` inputs from
// `input` on: out (count, kTileRows).
template <class Codes, std::size_t count>
void multiply_lanes(const Codes& codes, const TileShape& shape, const std::byte* tile,
                    const Prepared& prepared, std::size_t input, float* out) {
  constexpr std::size_t kWordBytes = kTileRows * sizeof(std::int32_t);
  const std::int16_t* numbers = prepared.row(input);
  const float* units = prepared.row_units(input);
  Sums sums[count] = {};
  for (std::size_t group = 0; group < prepared.groups; tile += shape.bytes) {
    for (std::size_t line = 0; line < shape.bytes; line += kCacheLine)
      __builtin_prefetch(tile + kPrefetchBytes + line);
    const std::byte* words = tile + shape.scale_bytes;
    for (const std::byte* scales = tile; scales < tile + shape.scale_bytes; scales += kWordBytes) {
      const Pairs two = load_words(scales);
#pragma GCC unroll 2
      for (std::size_t half = 0; half < 2; ++half, ++group) {
        Chains<count> counts;
        codes.multiply(words, numbers + group * kGroup, prepared.columns, counts);
        const Sums scale = half == 0 ? lower_scales(two) : upper_scales(two);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < count; ++i)
          sums[i] = add_scaled(sums[i], counts.sum(i), scale, units[i * prepared.groups + group]);
        words += Codes::kWords * kWordBytes;
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    store_sums(sums[i], out + i * kTileRows);
}

template <class Codes, std::size_t count>
void multiply_tile_row(const Codes& codes, const FewRowsCall& call, const Prepared& prepared,
                       std::size_t input, std::size_t row) {
  const WeightMatrix& weights = call.weights;
  const TileShape shape = tile_shape(weights.type);
  const std::byte* tile = weights.values + row * tiles_of_row(weights.type, weights.columns) *
                                               (shape.bytes / kTileRows);
  float sums[count * kTileRows];
  for (std::size_t lane = 0; lane < kTileRows; lane += kPairLanes)
    multiply_lanes<Codes, count>(codes, shape, tile + lane * sizeof(std::int32_t), prepared, input,
                                 sums + lane);
  const std::size_t rows = std::min(kTileRows, weights.rows - row);
  for (std::size_t i = 0; i < count; ++i) {
    float* out = call.out + (input + i) * weights.rows + row;
    for (std::size_t j = 0; j < rows; ++j)
      out[j] = sums[i * kTileRows + j] + (call.beta == 0 ? 0 : call.beta * out[j]);
  }
}

// `count` inputs, or as many less as there are.
template <class Codes, std::size_t count>
void multiply_inputs(const Codes& codes, const FewRowsCall& call, const Prepared& prepared,
                     std::size_t input, std::size_t row) {
  if constexpr (count > 0) {
    if (call.count - input >= count)
      multiply_tile_row<Codes, count>(codes, call, prepared, input, row);
    else
      multiply_inputs<Codes, count - 1>(codes, call, prepared, input, row);
  }
}

template <class Codes>
void multiply(const FewRowsCall& call, std::size_t first, std::size_t rows) {
  const Codes codes(call.weights.type);
  const Prepared prepared = Prepared::of(call, call.prepared);
  // What a second round over the same weights reads is still in the cache.
  for (std::size_t row = first; row < first + rows; row += kTileRows)
    for (std::size_t input = 0; input < call.count; input += kMostAtOnce)
      multiply_inputs<Codes, kMostAtOnce>(codes, call, prepared, input, row);
}

}  // namespace

FewRowsKernel few_rows_quantized(WeightType type) {
  return {.prepare = prepare,
          .multiply = type == WeightType::int8 ? multiply<Bytes> : multiply<Nibbles>};
}

}  // namespace perf::workloads

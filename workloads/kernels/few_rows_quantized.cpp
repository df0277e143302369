#include <algorithm>
#include <cstdint>

#include "workloads/kernels/few_rows_codes.h"
#include "workloads/kernels/few_rows_kernels.h"
#include "workloads/kernels/quantized_inputs.h"
#include "workloads/kernels/quantized_lanes.h"
#include "workloads/kernels/quantized_tiles.h"

// Products of whole numbers: the input is rounded to 16 bits a group (nf4: 14, and its levels too),
// codes become integers of 16 bits (int4: of 8, the input being split in two), and the sum over a
// group, which fits 32 bits, is exact on any CPU. A lane of a register belongs to a row, so nothing
// is added across lanes but in AVX2, where of int8 and nf4 a row has two; the input is broadcast.
// Against single precision this takes half the instructions, without which int4 would not keep up
// with memory.

namespace perf::workloads {

namespace {

constexpr std::size_t kGroup = WeightMatrix::kGroup;
static_assert(kRowTile == kTileRows);

// Inputs that the registers hold sums of at once.
constexpr std::size_t kMostAtOnce = kPairLanes == 16 ? 8 : 4;

// Registers of rows in a tile, and how many are multiplied at once: both of AVX2's where few inputs
// leave room for their sums.
constexpr std::size_t kRegisters = kTileRows / kPairLanes;
template <std::size_t count>
constexpr std::size_t kHalves = kRegisters == 2 && count <= 2 ? 2 : 1;

// Adds a tile, whose first group is `group`, times `count` inputs from `input` on to the sums of
// kHalves registers of rows, of which the first begins at `tile`.
template <class Codes, std::size_t count>
[[gnu::always_inline]] inline void add_tile(const Codes& codes, const TileShape& shape,
                                            const std::byte* tile, const PreparedInputs& prepared,
                                            std::size_t input, std::size_t group,
                                            Sums (*sums)[count]) {
  constexpr std::size_t kAtOnce = kHalves<count>;
  const float* units = prepared.row_units(input);
  const std::byte* words = tile + shape.scale_bytes;
  for (const std::byte* scales = tile; scales < tile + shape.scale_bytes; scales += kWordBytes) {
    fetch_ahead(scales);
#pragma GCC unroll 2
    for (std::size_t next = 0; next < 2; ++next, ++group) {
      Counts counts[kAtOnce][count];
      codes.multiply(words, prepared, input, group, counts);
#pragma GCC unroll 2
      for (std::size_t half = 0; half < kAtOnce; ++half) {
        const Pairs two = load_words(scales + half * sizeof(Pairs));
        const Sums scale = next == 0 ? lower_scales(two) : upper_scales(two);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < count; ++i) {
          sums[half][i] =
              add_scaled(sums[half][i], counts[half][i], scale, units[i * prepared.groups + group]);
        }
      }
      words += Codes::kWords * kWordBytes;
    }
  }
}

// A row of tiles with `count` inputs from `input` on: out (count, kTileRows).
template <class Codes, std::size_t count>
void multiply_tiles(const Codes& codes, const TileShape& shape, const std::byte* tile,
                    const PreparedInputs& prepared, std::size_t input, float* out) {
  Sums sums[kRegisters][count] = {};
  const std::size_t groups = shape.columns / kGroup;
  for (std::size_t group = 0; group < prepared.groups; group += groups, tile += shape.bytes) {
#pragma GCC unroll 2
    for (std::size_t i = 0; i < kRegisters; i += kHalves<count>) {
      add_tile<Codes, count>(codes, shape, tile + i * sizeof(Pairs), prepared, input, group,
                             sums + i);
    }
  }
  for (std::size_t i = 0; i < kRegisters; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      store_sums(sums[i][j], out + j * kTileRows + i * kPairLanes);
    }
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
  multiply_tiles<Codes, count>(codes, shape, tile, prepared, input, sums);
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

#include "workloads/kernels/cached_attention.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workloads/kernels/attention_band.h"
#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kBandRows = 4 * kTile;  // so many share the packing of a tile of keys
constexpr std::size_t kSplit = 4 * kTile;     // positions of a part
// Below so many multiplications to wake the threads would take longer.
constexpr std::size_t kWorthThreads = std::size_t{1} << 16;

std::size_t splits_of(std::size_t positions) {
  return ceiling(positions, kSplit);
}

// A piece's results, its largest scores and its sums, one after the other.
struct Piece {
  Piece(float* memory, std::size_t rows, std::size_t columns)
      : out(memory), largest(memory + rows * columns), sums(largest + rows) {}
  static std::size_t floats(std::size_t rows, std::size_t columns) { return rows * (columns + 2); }

  float *out, *largest, *sums;
};

float* place_of(const CachedRows& rows, const Band& band, std::size_t row, float* out) {
  const std::size_t group = rows.group(), index = band.first + row;
  const std::size_t position = band.sequence * rows.shape.length + index / group;
  return out + position * rows.shape.query_width() +
         (band.kv_head * group + index % group) * rows.shape.size;
}

void write_out(const CachedRows& rows, const Band& band, const BandTiles& tiles, float* out) {
  for (std::size_t row = 0; row < band.count; ++row) {
    const float* from = tiles.out + row * rows.columns();
    float* to = place_of(rows, band, row, out);
    const float inverse = 1.0F / tiles.sums[row];
#pragma omp simd
    for (std::size_t i = 0; i < rows.shape.size; ++i) {
      to[i] = from[i] * inverse;
    }
  }
}

void keep_part(const CachedRows& rows, const Band& band, const BandTiles& tiles,
               const Piece& part) {
  std::copy(tiles.out, tiles.out + band.count * rows.columns(), part.out);
  std::copy(tiles.largest, tiles.largest + band.count, part.largest);
  std::copy(tiles.sums, tiles.sums + band.count, part.sums);
}

// The parts of a row weigh e^(their largest - the largest of all), in their order; both are
// multiplied by log2(e).
void merge_parts(const CachedRows& rows, const Band& band, float* parts, std::size_t splits,
                 float* out) {
  const std::size_t columns = rows.columns(), size = rows.shape.size;
  const std::size_t floats = Piece::floats(band.count, columns);
  for (std::size_t row = 0; row < band.count; ++row) {
    float largest = Piece(parts, band.count, columns).largest[row];
    for (std::size_t split = 1; split < splits; ++split) {
      largest = std::max(largest, Piece(parts + split * floats, band.count, columns).largest[row]);
    }
    float* to = place_of(rows, band, row, out);
    std::fill(to, to + size, 0.0F);
    float sum = 0;
    for (std::size_t split = 0; split < splits; ++split) {
      const Piece part(parts + split * floats, band.count, columns);
      const float weight = fast_exp2(part.largest[row] - largest);
      const float* from = part.out + row * columns;
      sum += weight * part.sums[row];
#pragma omp simd
      for (std::size_t i = 0; i < size; ++i) {
        to[i] += weight * from[i];
      }
    }
    const float inverse = 1.0F / sum;
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) {
      to[i] *= inverse;
    }
  }
}

}  // namespace

CachedAttention::CachedAttention(const QkvRows& most, std::size_t capacity, Ledger& memory)
    : most_(most), capacity_(capacity), most_threads_(omp_get_max_threads()) {
  const CachedRows rows{.shape = most};
  const std::size_t columns = rows.columns();
  band_rows_ = std::min(kBandRows, ceiling(rows.rows(), kTile) * kTile);
  per_thread_ = BandTiles(band_rows_, columns, Slices(nullptr)).floats;
  workspace_ =
      memory.take<float>(Purpose::workspace, static_cast<std::size_t>(most_threads_) * per_thread_);
  parts_ = memory.take<float>(Purpose::workspace,
                              most.sequences * most.kv_heads * splits_of(capacity) *
                                  Piece::floats(std::min(kTile, rows.rows()), columns));
}

void CachedAttention::forward(const QkvRows& shape, const float* qkv, std::size_t start,
                              const KvCache& cache, bool causal, float* out) {
  require_room(shape, start, cache);
  if (shape.heads != most_.heads || shape.kv_heads != most_.kv_heads || shape.size != most_.size ||
      shape.sequences > most_.sequences || shape.length > most_.length ||
      cache.capacity > capacity_) {
    throw std::logic_error("rows that the attention was not made for");
  }
  const CachedRows rows{.shape = shape, .start = start, .causal = causal};
  const std::size_t columns = rows.columns(), heads = shape.sequences * shape.kv_heads;
  const std::size_t bands = ceiling(rows.rows(), band_rows_);
  const std::size_t splits = rows.rows() <= kTile ? splits_of(rows.end()) : 1;
  const std::size_t positions = splits > 1 ? kSplit : rows.end();
  const std::size_t part = Piece::floats(std::min(kTile, rows.rows()), columns);
  const auto band_of = [&](std::size_t head, std::size_t band, std::size_t split) {
    const std::size_t first = band * band_rows_, begin = split * positions;
    return Band{.sequence = head / shape.kv_heads,
                .kv_head = head % shape.kv_heads,
                .first = first,
                .count = std::min(band_rows_, rows.rows() - first),
                .begin = begin,
                .end = std::min(rows.end(), begin + positions)};
  };
#pragma omp parallel num_threads(std::min(                                                  \
    most_threads_, omp_get_max_threads())) if (heads * rows.rows() * rows.end() * columns > \
                                               kWorthThreads)
  {
    const std::size_t thread = static_cast<std::size_t>(omp_get_thread_num());
    BandTiles tiles(band_rows_, columns, Slices(workspace_ + thread * per_thread_));
    // The last bands first: they see the most, and a long task that came last would be waited for.
#pragma omp for schedule(dynamic)
    for (std::size_t index = 0; index < heads * bands * splits; ++index) {
      const std::size_t head = index / splits % heads, split = index % splits;
      const Band band = band_of(head, bands - 1 - index / splits / heads, split);
      attend_band(rows, band, qkv, cache, tiles);
      if (splits == 1) {
        write_out(rows, band, tiles, out);
      } else {
        keep_part(rows, band, tiles, Piece(parts_ + index * part, band.count, columns));
      }
    }
    if (splits > 1) {
#pragma omp for schedule(static)
      for (std::size_t head = 0; head < heads; ++head) {
        merge_parts(rows, band_of(head, 0, 0), parts_ + head * splits * part, splits, out);
      }
    }
  }
}

}  // namespace perf::workloads

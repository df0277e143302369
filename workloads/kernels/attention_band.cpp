#include "workloads/kernels/attention_band.h"

#include <limits>
#include <numbers>
#include <utility>

#include "workloads/kernels/fast_exp.h"
#include "workloads/kernels/lanes.h"
#include "workloads/kernels/tile_pack.h"
#include "workloads/kernels/tile_product.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace perf::workloads {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Queries with the scores' factor 1/sqrt(S), zeros around them; and with log2(e), so that e^score
// is 2^what they give.
void take_queries(const CachedRows& rows, const Band& band, const float* qkv, BandTiles& tiles) {
  const QkvRows& shape = rows.shape;
  const std::size_t columns = rows.columns(), group = rows.group();
  const float scale = std::numbers::log2e_v<float> / std::sqrt(static_cast<float>(shape.size));
  for (std::size_t i = 0; i < band.count; ++i) {
    const std::size_t row = band.first + i;
    const std::size_t head = band.kv_head * group + row % group;
    const float* from =
        qkv + (band.sequence * shape.length + row / group) * shape.width() + head * shape.size;
    float* to = tiles.queries + i * columns;
#pragma omp simd
    for (std::size_t k = 0; k < shape.size; ++k) {
      to[k] = from[k] * scale;
    }
    std::fill(to + shape.size, to + columns, 0.0F);
  }
  const std::size_t padded = band.count / kTile * kTile + covered_rows(band.count % kTile);
  std::fill(tiles.queries + band.count * columns, tiles.queries + padded * columns, 0.0F);
  std::fill(tiles.out, tiles.out + padded * columns, 0.0F);
  std::fill(tiles.largest, tiles.largest + band.count, kMinusInfinity);
  std::fill(tiles.sums, tiles.sums + band.count, 0.0F);
}

void widen_rows(const float* in, std::size_t rows, std::size_t size, float* out,
                std::size_t columns) {
  widen_tile(in, size, rows, size, out, rows, columns);
}

void widen_rows(const Bf16* in, std::size_t rows, std::size_t size, float* out,
                std::size_t columns) {
  widen_tile(in, size, rows, size, out, rows, columns);
}

void widen_rows(const Fp16* in, std::size_t rows, std::size_t size, float* out,
                std::size_t columns) {
#if defined(__F16C__)
  // By the instruction: the portable way takes longer than all else that decoding does.
  if (size % 8 == 0 && size == columns) {
    for (std::size_t i = 0; i < rows * size; i += 8) {
      _mm256_storeu_ps(out + i,
                       _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
    }
    return;
  }
#endif
  widen_tile(in, size, rows, size, out, rows, columns);
}

// Positions [first, first + count) in single precision, keys turned. Keys are padded by zeros to
// what multiply_part reads; nothing past the last position is read.
template <class T>
void take_keys_values(const CachedRows& rows, const KvCache& cache, std::size_t offset,
                      std::size_t count, BandTiles& tiles) {
  const std::size_t size = rows.shape.size, columns = rows.columns();
  const std::size_t padded = (count + kBlockColumns - 1) / kBlockColumns * kBlockColumns;
  widen_rows(reinterpret_cast<const T*>(cache.keys) + offset, count, size, tiles.keys, columns);
  std::fill(tiles.keys + count * columns, tiles.keys + padded * columns, 0.0F);
  // The last tile of a sequence may be shorter; rows of the turned keys keep their length.
  if (padded < kTile) {
    std::fill(tiles.keys + padded * columns, tiles.keys + kTile * columns, 0.0F);
  }
  transpose_tile(tiles.keys, kTile, columns, tiles.turned_keys);
  widen_rows(reinterpret_cast<const T*>(cache.values) + offset, count, size, tiles.values, columns);
}

// While a tile is computed memory would stand still.
template <class T>
void fetch_ahead(const KvCache& cache, std::size_t offset, std::size_t count) {
  constexpr std::size_t kLine = 64;
  const std::size_t bytes = count * cache.size * sizeof(T);
  const std::byte* keys = cache.keys + offset * sizeof(T);
  const std::byte* values = cache.values + offset * sizeof(T);
  for (std::size_t i = 0; i < bytes; i += kLine) {
    __builtin_prefetch(keys + i, 0, 2);
    __builtin_prefetch(values + i, 0, 2);
  }
}

template <std::size_t step, std::size_t... i>
inline Lanes exchanged(Lanes values, std::index_sequence<i...>) {
  return __builtin_shufflevector(values, values, (i ^ step)...);
}

// In log2(kLanes) steps; a loop over the lanes would wait for one comparison after another.
template <std::size_t step = kLanes / 2>
inline float largest_lane(Lanes values) {
  const Lanes others = exchanged<step>(values, std::make_index_sequence<kLanes>());
  const Lanes larger = values > others ? values : others;
  if constexpr (step > 1) {
    return largest_lane<step / 2>(larger);
  } else {
    return larger[0];
  }
}

// scores (keys) of one query, times log2(e) -> e^(score - largest), with `largest` and `sum` as in
// the online softmax (Milakov and Gimelshein, arXiv:1805.02867); returns what was gathered so far
// is to be multiplied by. Only the first `seen` count, the others become 0. keys: a multiple of
// kBlockColumns.
float exponentiate(float* scores, std::size_t keys, std::size_t seen, float& largest, float& sum) {
  std::fill(scores + seen, scores + keys, kMinusInfinity);
  Lanes now = lanes(scores);
  for (std::size_t key = kLanes; key < keys; key += kLanes) {
    const Lanes next = lanes(scores + key);
    now = now > next ? now : next;
  }
  const float shift = std::max(largest, largest_lane(now));
  float added = 0;
#pragma omp simd reduction(+ : added)
  for (std::size_t key = 0; key < keys; ++key) {
    const float power = fast_exp2(scores[key] - shift);
    scores[key] = power;
    added += power;
  }
  const float correction = shift == largest ? 1.0F : fast_exp2(largest - shift);
  sum = sum * correction + added;
  largest = shift;
  return correction;
}

// Adds a tile of keys, those from `position` on, to the block of rows that begins at `block`.
void add_keys(const CachedRows& rows, const Band& band, std::size_t block, std::size_t position,
              std::size_t count, BandTiles& tiles) {
  const std::size_t columns = rows.columns(), queries = std::min(kTile, band.count - block);
  const std::size_t keys = (count + kBlockColumns - 1) / kBlockColumns * kBlockColumns;
  multiply_part<Order::rows>(Part::all, {queries, keys, columns},
                             {tiles.queries + block * columns, columns}, {tiles.turned_keys, kTile},
                             {tiles.scores, kTile});
  for (std::size_t query = 0; query < queries; ++query) {
    const std::size_t row = block + query, sees = rows.seen(band.first + row);
    float* scores = tiles.scores + query * kTile;
    if (sees <= position) {
      std::fill(scores, scores + keys, 0.0F);
      continue;
    }
    const float correction = exponentiate(scores, keys, std::min(count, sees - position),
                                          tiles.largest[row], tiles.sums[row]);
    if (correction != 1.0F) {
      float* gathered = tiles.out + row * columns;
#pragma omp simd
      for (std::size_t i = 0; i < columns; ++i) {
        gathered[i] *= correction;
      }
    }
  }
  multiply_add<Order::rows>(Part::all, {queries, columns, count}, {tiles.scores, kTile},
                            {tiles.values, columns}, {tiles.out + block * columns, columns});
}

template <class T>
void attend(const CachedRows& rows, const Band& band, const KvCache& cache, BandTiles& tiles) {
  const std::size_t head = cache.offset(band.sequence, band.kv_head);
  const std::size_t end = std::min(band.end, rows.seen(band.first + band.count - 1));
  for (std::size_t position = band.begin; position < end; position += kTile) {
    const std::size_t count = std::min(kTile, end - position);
    take_keys_values<T>(rows, cache, head + position * cache.size, count, tiles);
    const std::size_t next = position + count;
    fetch_ahead<T>(cache, head + next * cache.size, std::min(kTile, end - next));
    for (std::size_t block = 0; block < band.count; block += kTile) {
      const std::size_t last = std::min(block + kTile, band.count) - 1;
      const std::size_t seen = rows.seen(band.first + last);
      if (seen > position) {
        add_keys(rows, band, block, position, std::min(count, seen - position), tiles);
      }
    }
  }
}

}  // namespace

void attend_band(const CachedRows& rows, const Band& band, const float* qkv, const KvCache& cache,
                 BandTiles& tiles) {
  take_queries(rows, band, qkv, tiles);
  switch (cache.dtype) {
    case DType::fp32:
      return attend<float>(rows, band, cache, tiles);
    case DType::bf16:
      return attend<Bf16>(rows, band, cache, tiles);
    case DType::fp16:
      return attend<Fp16>(rows, band, cache, tiles);
  }
}

}  // namespace perf::workloads

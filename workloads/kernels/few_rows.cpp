#include "workloads/kernels/few_rows.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <vector>

#include "workloads/kernels/few_rows_kernels.h"

namespace perf::workloads {

namespace {

// A product of less is done sooner by one thread than by many that have to be woken. All threads or
// one: libgomp ends the threads that a smaller team leaves out.
constexpr std::size_t kLeastBytes = std::size_t{256} << 10;

// Written by one call at a time, before its threads start.
alignas(64) std::byte prepared[kPreparedBytes];

FewRowsKernel kernel_of(WeightType type) {
  switch (type) {
    case WeightType::fp32:
    case WeightType::bf16:
    case WeightType::fp16:
      return few_rows_floats(type);
    case WeightType::int8:
    case WeightType::int4:
    case WeightType::nf4:
      break;
  }
  return few_rows_quantized(type);
}

// The next tile of a range; each in a cache line of its own.
struct alignas(64) Cursor {
  std::atomic<std::size_t> next;
};
constexpr std::size_t kMostRanges = 64, kAtOnceBytes = std::size_t{64} << 10;
Cursor cursors[kMostRanges];

// Calls of `part(first, count)` by all threads for parts of `tiles` tiles. Each thread has one
// contiguous range, so that it reads memory from one end to the other; who is done with it helps
// others, a tile at a time, as on a shared machine one core is now and then slower than the other.
// A token of int8 took 0.973 to 0.988 of the time with fixed ranges, 0.8 where threads had to be
// woken (spin count 300); parts that all threads take in turn from one range took 1.11.
template <class Part>
void share_out(std::size_t tiles, std::size_t at_once, Part part) {
  const std::size_t ranges = std::min(static_cast<std::size_t>(omp_get_max_threads()), kMostRanges);
  for (std::size_t range = 0; range < ranges; ++range) {
    cursors[range].next.store(tiles * range / ranges, std::memory_order_relaxed);
  }
#pragma omp parallel
  {
    const auto own = static_cast<std::size_t>(omp_get_thread_num());
    for (std::size_t i = 0; i < ranges; ++i) {
      const std::size_t range = (own + i) % ranges, end = tiles * (range + 1) / ranges;
      const std::size_t most = i == 0 ? at_once : 1;
      std::atomic<std::size_t>& next = cursors[range].next;
      while (next.load(std::memory_order_relaxed) < end) {
        const std::size_t first = next.fetch_add(most, std::memory_order_relaxed);
        if (first < end) {
          part(first, std::min(most, end - first));
        }
      }
    }
  }
}

void multiply(const FewRowsKernel& kernel, FewRowsCall call) {
  if (kernel.prepare != nullptr) {
    kernel.prepare(call, prepared);
    call.prepared = prepared;
  }
  const std::size_t rows = call.weights.rows, bytes = call.weights.bytes();
  if (bytes * call.count < kLeastBytes) {
    return kernel.multiply(call, 0, rows);
  }
  const std::size_t tiles = (rows + kRowTile - 1) / kRowTile;
  const std::size_t at_once = std::max<std::size_t>(1, kAtOnceBytes * tiles / bytes);
  share_out(tiles, at_once, [&](std::size_t tile, std::size_t count) {
    const std::size_t first = tile * kRowTile;
    kernel.multiply(call, first, std::min(count * kRowTile, rows - first));
  });
}

}  // namespace

void multiply_few_rows(const WeightMatrix& weights, const float* in, std::size_t count, float beta,
                       float* out) {
  assert(count <= kFewRows);
  const FewRowsKernel kernel = kernel_of(weights.type);
  const std::size_t most = std::max<std::size_t>(1, kMostPrepared / weights.columns);
  for (std::size_t i = 0; i < count; i += most) {
    multiply(kernel, {.weights = weights,
                      .in = in + i * weights.columns,
                      .count = std::min(most, count - i),
                      .beta = beta,
                      .out = out + i * weights.rows});
  }
}

void multiply_few_rows_reference(const WeightMatrix& weights, const float* in, std::size_t count,
                                 float beta, float* out) {
  std::vector<float> row(weights.columns);
  for (std::size_t i = 0; i < weights.rows; ++i) {
    unpack_rows(weights, i, 1, row.data());
    for (std::size_t j = 0; j < count; ++j) {
      const float* x = in + j * weights.columns;
      double sum = 0;
      for (std::size_t k = 0; k < weights.columns; ++k) {
        sum += static_cast<double>(row[k]) * x[k];
      }
      float& result = out[j * weights.rows + i];
      result = static_cast<float>(sum) + (beta == 0 ? 0 : beta * result);
    }
  }
}

}  // namespace perf::workloads

#include "workloads/kernels/few_rows.h"

#include <omp.h>

#include <algorithm>
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

// Each thread has one contiguous range of rows, so that it reads memory from one end to the other.
void multiply(const FewRowsKernel& kernel, FewRowsCall call) {
  if (kernel.prepare != nullptr) {
    kernel.prepare(call, prepared);
    call.prepared = prepared;
  }
  const std::size_t rows = call.weights.rows;
  const std::size_t tiles = (rows + kRowTile - 1) / kRowTile;
  if (call.weights.bytes() * call.count < kLeastBytes) {
    return kernel.multiply(call, 0, rows);
  }
#pragma omp parallel
  {
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    const auto own = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t first = tiles * own / team * kRowTile;
    const std::size_t end = std::min(rows, tiles * (own + 1) / team * kRowTile);
    if (first < end) {
      kernel.multiply(call, first, end - first);
    }
  }
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

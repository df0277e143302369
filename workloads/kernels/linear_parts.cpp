#include "workloads/kernels/linear_parts.h"

#include <algorithm>

#include "workloads/kernels/column_blocks.h"
#include "workloads/kernels/dtype.h"

namespace perf::workloads {

template <class T>
void add_bias_reference(const T* in, const T* bias, T* out, std::size_t rows, std::size_t columns) {
  for (std::size_t i = 0; i < rows * columns; ++i) {
    out[i] = narrow<T>(widen(in[i]) + widen(bias[i % columns]));
  }
}

template <class T>
void add_bias(const T* in, const T* bias, T* out, std::size_t rows, std::size_t columns) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
#pragma omp simd
    for (std::size_t column = 0; column < columns; ++column) {
      out[row * columns + column] =
          narrow<T>(widen(in[row * columns + column]) + widen(bias[column]));
    }
  }
}

template <class T>
void column_sums_reference(const T* in, T* sums, std::size_t rows, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      sum += double{widen(in[row * columns + column])};
    }
    sums[column] = narrow<T>(static_cast<float>(sum));
  }
}

template <class T>
void column_sums(const T* in, T* sums, std::size_t rows, std::size_t columns) {
  for_column_blocks(columns, [=](std::size_t begin, std::size_t end) {
    float block[kBlockColumns] = {};
    for (std::size_t row = 0; row < rows; ++row) {
      const T* values = in + row * columns + begin;
#pragma omp simd
      for (std::size_t i = 0; i < end - begin; ++i) {
        block[i] += widen(values[i]);
      }
    }
    narrow(block, end - begin, sums + begin);
  });
}

template <class T>
double squared_error_reference(const T* out, const T* target, double scale, T* grad,
                               std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = double{widen(out[i])} - double{widen(target[i])};
    grad[i] = narrow<T>(static_cast<float>(scale * difference / static_cast<double>(count)));
    sum += difference * difference;
  }
  return sum / 2 / static_cast<double>(count);
}

template <class T>
double squared_error(const T* out, const T* target, double scale, T* grad, std::size_t count) {
  const auto factor = static_cast<float>(scale / static_cast<double>(count));
  constexpr std::size_t kChunk = 4096;  // single precision inside a chunk, double across chunks
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const std::size_t end = std::min(count, (chunk + 1) * kChunk);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      const float difference = widen(out[i]) - widen(target[i]);
      grad[i] = narrow<T>(difference * factor);
      sum += difference * difference;
    }
    total += sum;
  }
  return total / 2 / static_cast<double>(count);
}

#define PERF_LINEAR_PARTS(T)                                                          \
  template void add_bias(const T*, const T*, T*, std::size_t, std::size_t);           \
  template void add_bias_reference(const T*, const T*, T*, std::size_t, std::size_t); \
  template void column_sums(const T*, T*, std::size_t, std::size_t);                  \
  template void column_sums_reference(const T*, T*, std::size_t, std::size_t);        \
  template double squared_error(const T*, const T*, double, T*, std::size_t);         \
  template double squared_error_reference(const T*, const T*, double, T*, std::size_t);
PERF_LINEAR_PARTS(float)
PERF_LINEAR_PARTS(Bf16)
PERF_LINEAR_PARTS(Fp16)
#undef PERF_LINEAR_PARTS

}  // namespace perf::workloads

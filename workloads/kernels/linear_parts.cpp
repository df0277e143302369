#include "workloads/kernels/linear_parts.h"

#include <algorithm>

#include "workloads/kernels/column_blocks.h"

namespace perf::workloads {

void add_bias_reference(const float* in, const float* bias, float* out, std::size_t rows,
                        std::size_t columns) {
  for (std::size_t i = 0; i < rows * columns; ++i) {
    out[i] = in[i] + bias[i % columns];
  }
}

void add_bias(const float* in, const float* bias, float* out, std::size_t rows,
              std::size_t columns) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
#pragma omp simd
    for (std::size_t column = 0; column < columns; ++column) {
      out[row * columns + column] = in[row * columns + column] + bias[column];
    }
  }
}

void column_sums_reference(const float* in, float* sums, std::size_t rows, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      sum += in[row * columns + column];
    }
    sums[column] = static_cast<float>(sum);
  }
}

void column_sums(const float* in, float* sums, std::size_t rows, std::size_t columns) {
  for_column_blocks(columns, [=](std::size_t begin, std::size_t end) {
    std::fill(sums + begin, sums + end, 0.0F);
    for (std::size_t row = 0; row < rows; ++row) {
#pragma omp simd
      for (std::size_t column = begin; column < end; ++column) {
        sums[column] += in[row * columns + column];
      }
    }
  });
}

double squared_error_reference(const float* out, const float* target, float* grad,
                               std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = static_cast<double>(out[i]) - target[i];
    grad[i] = static_cast<float>(difference / static_cast<double>(count));
    sum += difference * difference;
  }
  return sum / 2 / static_cast<double>(count);
}

double squared_error(const float* out, const float* target, float* grad, std::size_t count) {
  const float scale = 1.0F / static_cast<float>(count);
  constexpr std::size_t kChunk = 4096;  // single precision inside a chunk, double across chunks
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const std::size_t end = std::min(count, (chunk + 1) * kChunk);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      const float difference = out[i] - target[i];
      grad[i] = difference * scale;
      sum += difference * difference;
    }
    total += sum;
  }
  return total / 2 / static_cast<double>(count);
}

}  // namespace perf::workloads

#include "workloads/kernels/decoder_parts.h"

#include <cmath>

#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {

// One row is too little to share: waking the threads would cost more than the row.

void rms_norm(const float* in, const float* gain, float* out, std::size_t rows,
              std::size_t columns) {
#pragma omp parallel for schedule(static) if (rows > 1)
  for (std::size_t row = 0; row < rows; ++row) {
    const float* x = in + row * columns;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < columns; ++i)
      sum += x[i] * x[i];
    const float mean = sum / static_cast<float>(columns);
    const float scale = 1.0F / std::sqrt(mean + static_cast<float>(kRmsEpsilon));
#pragma omp simd
    for (std::size_t i = 0; i < columns; ++i)
      out[row * columns + i] = x[i] * scale * gain[i];
  }
}

void rope_table(float* cosines, float* sines, std::size_t positions, std::size_t size) {
  for (std::size_t position = 0; position < positions; ++position) {
    for (std::size_t i = 0; i < size / 2; ++i) {
      const double frequency =
          std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(size));
      const double angle = static_cast<double>(position) * frequency;
      cosines[position * (size / 2) + i] = static_cast<float>(std::cos(angle));
      sines[position * (size / 2) + i] = static_cast<float>(std::sin(angle));
    }
  }
}

void rope(float* head, const float* cosines, const float* sines, std::size_t size) {
  const std::size_t half = size / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const float low = head[i], high = head[half + i];
    head[i] = low * cosines[i] - high * sines[i];
    head[half + i] = high * cosines[i] + low * sines[i];
  }
}

void swiglu(const float* gate_up, float* out, std::size_t rows, std::size_t inner) {
#pragma omp parallel for schedule(static) if (rows > 1)
  for (std::size_t row = 0; row < rows; ++row) {
    const float* gate = gate_up + row * 2 * inner;
    const float* up = gate + inner;
#pragma omp simd
    for (std::size_t i = 0; i < inner; ++i)
      out[row * inner + i] = gate[i] / (1.0F + fast_exp(-gate[i])) * up[i];
  }
}

}  // namespace perf::workloads

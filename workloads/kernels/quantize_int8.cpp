#include "workloads/kernels/quantize.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "workloads/kernels/largest.h"

namespace perf::workloads {

namespace {
constexpr float kLevels = 127;
}  // namespace

void quantize_int8_reference(const float* in, std::int8_t* out, float* scales, std::size_t rows,
                             std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row) {
    float largest = 0;
    for (std::size_t i = 0; i < columns; ++i)
      largest = std::max(largest, std::fabs(in[row * columns + i]));
    scales[row] = largest / kLevels;
    for (std::size_t i = 0; i < columns; ++i) {
      const double level =
          largest == 0 ? 0 : in[row * columns + i] / (static_cast<double>(largest) / kLevels);
      out[row * columns + i] = static_cast<std::int8_t>(std::nearbyint(level));
    }
  }
}

void quantize_int8(const float* in, std::int8_t* out, float* scales, std::size_t rows,
                   std::size_t columns) {
  // Adding 1.5 * 2^23 leaves the rounded integer in the low bits of the sum: two instructions that
  // every vector unit has, in place of a rounding, a conversion and their range checks.
  constexpr float kRound = 12582912.0F;
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = in + row * columns;
    std::int8_t* to = out + row * columns;
    const float largest = largest_magnitude(from, columns);
    const float inverse = largest == 0 ? 0 : kLevels / largest;
    scales[row] = largest / kLevels;
#pragma omp simd
    for (std::size_t i = 0; i < columns; ++i)
      to[i] = static_cast<std::int8_t>(std::bit_cast<std::int32_t>(from[i] * inverse + kRound));
  }
}

QuantizationPower quantization_power(const float* in, const std::int8_t* out, const float* scales,
                                     std::size_t rows, std::size_t columns) {
  double signal = 0, noise = 0;
#pragma omp parallel for schedule(static) reduction(+ : signal, noise)
  for (std::size_t row = 0; row < rows; ++row) {
    float row_signal = 0, row_noise = 0;
#pragma omp simd reduction(+ : row_signal, row_noise)
    for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
      const float error = in[i] - scales[row] * static_cast<float>(out[i]);
      row_signal += in[i] * in[i];
      row_noise += error * error;
    }
    signal += row_signal;
    noise += row_noise;
  }
  return {signal, noise};
}

double largest_rounding(const float* in, const std::int8_t* out, const float* scales,
                        std::size_t rows, std::size_t columns) {
  double worst = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (scales[row] == 0)
      continue;
    for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
      const double error = std::abs(in[i] - static_cast<double>(scales[row]) * out[i]);
      if (!(error / scales[row] <= worst))
        worst = error / scales[row];
    }
  }
  return worst;
}

}  // namespace perf::workloads

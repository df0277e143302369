#include "workloads/kernels/rms_norm.h"

#include <algorithm>
#include <cmath>

#include "workloads/kernels/column_blocks.h"
#include "workloads/kernels/dtype.h"
#include "workloads/kernels/row_lanes.h"

namespace perf::workloads {

namespace {

template <class T>
float sum_of_squares(const T* x, std::size_t columns) {
  float squares = 0;
#pragma omp simd reduction(+ : squares)
  for (std::size_t i = 0; i < columns; ++i) {
    squares += widen(x[i]) * widen(x[i]);
  }
  return squares;
}

// The loop above has one register for its sums, in which each addition waits for the one before: a
// fifth of the time of a row in cache.
float sum_of_squares(const float* x, std::size_t columns) {
  return row_sum(columns, [=](std::size_t first, std::size_t count, Lanes& sum) {
    const Lanes values = load_lanes(x + first, count, 0);
    sum += values * values;
  });
}

}  // namespace

template <class T>
void rms_norm_forward(const T* in, const T* gain, T* out, float* inverse_rms, std::size_t rows,
                      std::size_t columns, double epsilon) {
#pragma omp parallel for schedule(static) if (rows > 1)
  for (std::size_t row = 0; row < rows; ++row) {
    const T* x = in + row * columns;
    T* y = out + row * columns;
    const float squares = sum_of_squares(x, columns);
    const float r =
        1.0F / std::sqrt(squares / static_cast<float>(columns) + static_cast<float>(epsilon));
    inverse_rms[row] = r;
#pragma omp simd
    for (std::size_t i = 0; i < columns; ++i) {
      y[i] = narrow<T>(widen(x[i]) * r * widen(gain[i]));
    }
  }
}

namespace {

// One row's share of both gradients; sums (columns) is null where the gain's is not wanted.
template <class T>
void backward_row(const T* x, const T* gain, float r, const T* grad_out, T* grad_in, float* sums,
                  std::size_t columns) {
  float dot = 0;
#pragma omp simd reduction(+ : dot)
  for (std::size_t i = 0; i < columns; ++i) {
    dot += widen(grad_out[i]) * widen(gain[i]) * widen(x[i]);
  }
  const float along = dot * r * r / static_cast<float>(columns);
#pragma omp simd
  for (std::size_t i = 0; i < columns; ++i) {
    const float slope = widen(gain[i]) * widen(grad_out[i]) - widen(x[i]) * along;
    grad_in[i] = narrow<T>(widen(grad_in[i]) + r * slope);
  }
  if (sums == nullptr) {
    return;
  }
#pragma omp simd
  for (std::size_t i = 0; i < columns; ++i) {
    sums[i] += widen(grad_out[i]) * widen(x[i]) * r;
  }
}

}  // namespace

template <class T>
void rms_norm_backward(const T* in, const T* gain, const float* inverse_rms, const T* grad_out,
                       T* grad_in, T* grad_gain, float* partial_sums, std::size_t rows,
                       std::size_t columns) {
#pragma omp parallel for schedule(static)
  for (std::size_t part = 0; part < kRmsNormParts; ++part) {
    float* sums = grad_gain == nullptr ? nullptr : partial_sums + part * columns;
    if (sums != nullptr) {
      std::fill_n(sums, columns, 0.0F);
    }
    for (std::size_t row = rows * part / kRmsNormParts; row < rows * (part + 1) / kRmsNormParts;
         ++row) {
      backward_row(in + row * columns, gain, inverse_rms[row], grad_out + row * columns,
                   grad_in + row * columns, sums, columns);
    }
  }
  if (grad_gain == nullptr) {
    return;
  }
  for_column_blocks(columns, [=](std::size_t begin, std::size_t end) {
    for (std::size_t part = 1; part < kRmsNormParts; ++part) {
#pragma omp simd
      for (std::size_t i = begin; i < end; ++i) {
        partial_sums[i] += partial_sums[part * columns + i];
      }
    }
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) {
      grad_gain[i] = narrow<T>(partial_sums[i]);
    }
  });
}

template void rms_norm_forward(const float*, const float*, float*, float*, std::size_t, std::size_t,
                               double);
template void rms_norm_backward(const float*, const float*, const float*, const float*, float*,
                                float*, float*, std::size_t, std::size_t);
template void rms_norm_forward(const Bf16*, const Bf16*, Bf16*, float*, std::size_t, std::size_t,
                               double);
template void rms_norm_backward(const Bf16*, const Bf16*, const float*, const Bf16*, Bf16*, Bf16*,
                                float*, std::size_t, std::size_t);
template void rms_norm_forward(const Fp16*, const Fp16*, Fp16*, float*, std::size_t, std::size_t,
                               double);
template void rms_norm_backward(const Fp16*, const Fp16*, const float*, const Fp16*, Fp16*, Fp16*,
                                float*, std::size_t, std::size_t);

}  // namespace perf::workloads

#include "workloads/kernels/gelu.h"

#include <cmath>

#include "workloads/kernels/column_blocks.h"
#include "workloads/kernels/dtype.h"
#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {

namespace {

constexpr double kTwoRootTwoOverPi = 1.5957691216057308;  // 2 sqrt(2/pi)
constexpr double kCubic = 0.044715;

float sigmoid_of_2u(float x) {
  constexpr auto kScale = static_cast<float>(kTwoRootTwoOverPi);
  const float u2 = kScale * (x + static_cast<float>(kCubic) * x * x * x);
  return 1.0F / (1.0F + fast_exp(-u2));
}

}  // namespace

double gelu(double x) {
  return x / (1 + std::exp(-kTwoRootTwoOverPi * (x + kCubic * x * x * x)));
}

double gelu_slope(double x) {
  const double s = 1 / (1 + std::exp(-kTwoRootTwoOverPi * (x + kCubic * x * x * x)));
  return s + x * s * (1 - s) * kTwoRootTwoOverPi * (1 + 3 * kCubic * x * x);
}

template <class T>
void bias_gelu_reference(T* pre, const T* bias, T* act, std::size_t rows, std::size_t columns) {
  for (std::size_t i = 0; i < rows * columns; ++i) {
    pre[i] = narrow<T>(widen(pre[i]) + widen(bias[i % columns]));
    act[i] = narrow<T>(static_cast<float>(gelu(widen(pre[i]))));
  }
}

template <class T>
void bias_gelu(T* pre, const T* bias, T* act, std::size_t rows, std::size_t columns) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
    T* in = pre + row * columns;
    T* out = act + row * columns;
#pragma omp simd
    for (std::size_t column = 0; column < columns; ++column) {
      const T stored = narrow<T>(widen(in[column]) + widen(bias[column]));
      const float x = widen(stored);
      in[column] = stored;
      out[column] = narrow<T>(x * sigmoid_of_2u(x));
    }
  }
}

template <class T>
void bias_gelu_backward_reference(const T* pre, T* grad, T* grad_bias, std::size_t rows,
                                  std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      T& g = grad[row * columns + column];
      g = narrow<T>(static_cast<float>(widen(g) * gelu_slope(widen(pre[row * columns + column]))));
      sum += double{widen(g)};
    }
    grad_bias[column] = narrow<T>(static_cast<float>(sum));
  }
}

template <class T>
void bias_gelu_backward(const T* pre, T* grad, T* grad_bias, std::size_t rows,
                        std::size_t columns) {
  for_column_blocks(columns, [=](std::size_t begin, std::size_t end) {
    float sums[kBlockColumns] = {};
    for (std::size_t row = 0; row < rows; ++row) {
      const T* in = pre + row * columns + begin;
      T* out = grad + row * columns + begin;
#pragma omp simd
      for (std::size_t i = 0; i < end - begin; ++i) {
        constexpr auto kScale = static_cast<float>(kTwoRootTwoOverPi);
        const float x = widen(in[i]);
        const float s = sigmoid_of_2u(x);
        const float inner = kScale * (1 + 3 * static_cast<float>(kCubic) * x * x);
        const T g = narrow<T>(widen(out[i]) * (s + x * s * (1 - s) * inner));
        out[i] = g;
        sums[i] += widen(g);
      }
    }
    narrow(sums, end - begin, grad_bias + begin);
  });
}

#define PERF_GELU(T)                                                             \
  template void bias_gelu(T*, const T*, T*, std::size_t, std::size_t);           \
  template void bias_gelu_reference(T*, const T*, T*, std::size_t, std::size_t); \
  template void bias_gelu_backward(const T*, T*, T*, std::size_t, std::size_t);  \
  template void bias_gelu_backward_reference(const T*, T*, T*, std::size_t, std::size_t);
PERF_GELU(float)
PERF_GELU(Bf16)
PERF_GELU(Fp16)
#undef PERF_GELU

}  // namespace perf::workloads

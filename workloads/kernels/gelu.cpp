#include "workloads/kernels/gelu.h"

#include <algorithm>
#include <cmath>

#include "workloads/kernels/column_blocks.h"
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

void bias_gelu_reference(float* pre, const float* bias, float* act, std::size_t rows,
                         std::size_t columns) {
  for (std::size_t i = 0; i < rows * columns; ++i) {
    pre[i] += bias[i % columns];
    act[i] = static_cast<float>(gelu(pre[i]));
  }
}

void bias_gelu(float* pre, const float* bias, float* act, std::size_t rows, std::size_t columns) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
    float* in = pre + row * columns;
    float* out = act + row * columns;
#pragma omp simd
    for (std::size_t column = 0; column < columns; ++column) {
      const float x = in[column] + bias[column];
      in[column] = x;
      out[column] = x * sigmoid_of_2u(x);
    }
  }
}

void bias_gelu_backward_reference(const float* pre, float* grad, float* grad_bias, std::size_t rows,
                                  std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      float& g = grad[row * columns + column];
      g = static_cast<float>(g * gelu_slope(pre[row * columns + column]));
      sum += g;
    }
    grad_bias[column] = static_cast<float>(sum);
  }
}

void bias_gelu_backward(const float* pre, float* grad, float* grad_bias, std::size_t rows,
                        std::size_t columns) {
  for_column_blocks(columns, [=](std::size_t begin, std::size_t end) {
    std::fill(grad_bias + begin, grad_bias + end, 0.0F);
    for (std::size_t row = 0; row < rows; ++row) {
      const float* in = pre + row * columns;
      float* out = grad + row * columns;
#pragma omp simd
      for (std::size_t column = begin; column < end; ++column) {
        constexpr auto kScale = static_cast<float>(kTwoRootTwoOverPi);
        const float x = in[column];
        const float s = sigmoid_of_2u(x);
        const float inner = kScale * (1 + 3 * static_cast<float>(kCubic) * x * x);
        const float g = out[column] * (s + x * s * (1 - s) * inner);
        out[column] = g;
        grad_bias[column] += g;
      }
    }
  });
}

}  // namespace perf::workloads

#include "workloads/kernels/rotary.h"

#include <algorithm>
#include <cmath>

#include "workloads/kernels/dtype.h"

namespace perf::workloads {

namespace {

// Of the speed without it.
double speed_of(const RopeScaling& scaling, double frequency) {
  constexpr double kTurn = 2 * 3.14159265358979323846;
  const double turns = frequency * scaling.original_positions / kTurn;
  const double fast = std::clamp(
      (turns - scaling.low_frequency) / (scaling.high_frequency - scaling.low_frequency), 0.0, 1.0);
  return fast + (1 - fast) / scaling.factor;
}

}  // namespace

void rotary_table(double theta, std::size_t positions, std::size_t size, float* cosines,
                  float* sines, const RopeScaling& scaling) {
  const std::size_t half = size / 2;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < half; ++i) {
    double frequency = std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(size));
    frequency *= speed_of(scaling, frequency);
    for (std::size_t position = 0; position < positions; ++position) {
      const double angle = static_cast<double>(position) * frequency;
      cosines[position * half + i] = static_cast<float>(std::cos(angle));
      sines[position * half + i] = static_cast<float>(std::sin(angle));
    }
  }
}

namespace {

template <bool has_bias, class T>
void rotate_rows(const QkvRows& shape, T* qkv, const T* bias, const float* cosines,
                 const float* sines) {
  const std::size_t half = shape.size / 2, rotated = shape.heads + shape.kv_heads;
#pragma omp parallel for schedule(static) if (shape.rows() > 1)
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    T* values = qkv + row * shape.width();
    const float* cosine = cosines + row % shape.length * half;
    const float* sine = sines + row % shape.length * half;
    for (std::size_t head = 0; head < rotated; ++head) {
      T* low = values + head * shape.size;
      T* high = low + half;
      const T* low_bias = has_bias ? bias + head * shape.size : low;
      const T* high_bias = low_bias + half;
#pragma omp simd
      for (std::size_t i = 0; i < half; ++i) {
        const float x = has_bias ? widen(low[i]) + widen(low_bias[i]) : widen(low[i]);
        const float y = has_bias ? widen(high[i]) + widen(high_bias[i]) : widen(high[i]);
        low[i] = narrow<T>(x * cosine[i] - y * sine[i]);
        high[i] = narrow<T>(y * cosine[i] + x * sine[i]);
      }
    }
    if constexpr (has_bias) {
#pragma omp simd
      for (std::size_t i = rotated * shape.size; i < shape.width(); ++i) {
        values[i] = narrow<T>(widen(values[i]) + widen(bias[i]));
      }
    }
  }
}

}  // namespace

template <class T>
void bias_and_rotate(const QkvRows& shape, T* qkv, const T* bias, const float* cosines,
                     const float* sines) {
  if (bias == nullptr) {
    rotate_rows<false>(shape, qkv, bias, cosines, sines);
  } else {
    rotate_rows<true>(shape, qkv, bias, cosines, sines);
  }
}

namespace {

constexpr std::size_t kPairs = 32;  // their sums stay in the first-level cache, or in registers

// Pairs [begin, begin + count) of one head, in all rows. A value head is summed, not rotated.
template <class T>
void rotate_back_pairs(const QkvRows& shape, std::size_t head, std::size_t begin, std::size_t count,
                       T* grad_qkv, T* grad_bias, const float* cosines, const float* sines) {
  const std::size_t half = shape.size / 2, first = head * shape.size + begin;
  const bool rotated = head < shape.heads + shape.kv_heads;
  if (!rotated && grad_bias == nullptr) {
    return;
  }
  float low_sums[kPairs] = {}, high_sums[kPairs] = {};
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    T* low = grad_qkv + row * shape.width() + first;
    T* high = low + half;
    if (rotated) {
      const float* cosine = cosines + row % shape.length * half + begin;
      const float* sine = sines + row % shape.length * half + begin;
#pragma omp simd
      for (std::size_t i = 0; i < count; ++i) {
        const float x = widen(low[i]), y = widen(high[i]);
        const float turned_x = x * cosine[i] + y * sine[i];
        const float turned_y = y * cosine[i] - x * sine[i];
        low[i] = narrow<T>(turned_x);
        high[i] = narrow<T>(turned_y);
        low_sums[i] += turned_x;
        high_sums[i] += turned_y;
      }
    } else {
#pragma omp simd
      for (std::size_t i = 0; i < count; ++i) {
        low_sums[i] += widen(low[i]);
        high_sums[i] += widen(high[i]);
      }
    }
  }
  if (grad_bias == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    grad_bias[first + i] = narrow<T>(low_sums[i]);
    grad_bias[first + half + i] = narrow<T>(high_sums[i]);
  }
}

}  // namespace

template <class T>
void rotate_back(const QkvRows& shape, T* grad_qkv, T* grad_bias, const float* cosines,
                 const float* sines) {
  const std::size_t half = shape.size / 2, blocks = (half + kPairs - 1) / kPairs;
  const std::size_t heads = shape.heads + 2 * shape.kv_heads;
  // A column has one owner, who takes its sum over the rows in their order: the result does not
  // depend on the number of threads.
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t begin = block * kPairs;
      rotate_back_pairs(shape, head, begin, std::min(kPairs, half - begin), grad_qkv, grad_bias,
                        cosines, sines);
    }
  }
}

template void bias_and_rotate(const QkvRows&, float*, const float*, const float*, const float*);
template void bias_and_rotate(const QkvRows&, Bf16*, const Bf16*, const float*, const float*);
template void bias_and_rotate(const QkvRows&, Fp16*, const Fp16*, const float*, const float*);
template void rotate_back(const QkvRows&, float*, float*, const float*, const float*);
template void rotate_back(const QkvRows&, Bf16*, Bf16*, const float*, const float*);
template void rotate_back(const QkvRows&, Fp16*, Fp16*, const float*, const float*);

}  // namespace perf::workloads

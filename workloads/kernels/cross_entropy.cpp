#include "workloads/kernels/cross_entropy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {

namespace {

/// sum = the sum of exp(logit - shift) over a row; shift is its largest logit, or a little less.
struct Normalizer {
  float shift = std::numeric_limits<float>::lowest();
  double sum = 0;
};

/// How far a logit may lie above the shift: e^20 is exact enough in single precision.
constexpr float kSlack = 20;

// Online (Milakov and Gimelshein, arXiv:1805.02867), a block at a time: with the shift of the
// blocks before, so that a block is read once, for its largest value and its sum. Only where the
// largest value turns out far above, the block is summed again: the first one, and few after it.
template <class T>
Normalizer normalizer(const T* row, std::size_t vocabulary) {
  constexpr std::size_t kBlock = 2048;
  Normalizer result;
  for (std::size_t begin = 0; begin < vocabulary; begin += kBlock) {
    const std::size_t end = std::min(vocabulary, begin + kBlock);
    const float shift = result.shift;
    float largest = shift, sum = 0;
#pragma omp simd reduction(max : largest) reduction(+ : sum)
    for (std::size_t i = begin; i < end; ++i) {
      const float x = widen(row[i]);
      largest = std::max(largest, x);
      sum += fast_exp(x - shift);
    }
    if (largest > shift + kSlack) {
      result.sum *= std::exp(static_cast<double>(shift) - largest);
      result.shift = largest;
      sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t i = begin; i < end; ++i) {
        sum += fast_exp(widen(row[i]) - largest);
      }
    }
    result.sum += sum;
  }
  return result;
}

template <class T>
double row_loss(T* row, std::size_t target, std::size_t vocabulary, float scale) {
  const Normalizer n = normalizer(row, vocabulary);
  const float of_target = widen(row[target]);
  const auto factor = static_cast<float>(scale / n.sum);
#pragma omp simd
  for (std::size_t i = 0; i < vocabulary; ++i) {
    row[i] = narrow<T>(fast_exp(widen(row[i]) - n.shift) * factor);
  }
  row[target] = narrow<T>(fast_exp(of_target - n.shift) * factor - scale);
  return std::log(n.sum) + n.shift - of_target;
}

}  // namespace

template <class T>
double cross_entropy(T* logits, const int* targets, std::size_t rows, std::size_t vocabulary,
                     float scale) {
  // Losses are added in the order of the rows, whatever the number of threads.
  std::array<double, 512> losses;
  double total = 0;
  for (std::size_t begin = 0; begin < rows; begin += losses.size()) {
    const std::size_t count = std::min(rows - begin, losses.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
      losses[i] = row_loss(logits + (begin + i) * vocabulary,
                           static_cast<std::size_t>(targets[begin + i]), vocabulary, scale);
    }
    for (std::size_t i = 0; i < count; ++i) {
      total += losses[i];
    }
  }
  return total;
}

template double cross_entropy(float*, const int*, std::size_t, std::size_t, float);
template double cross_entropy(Bf16*, const int*, std::size_t, std::size_t, float);
template double cross_entropy(Fp16*, const int*, std::size_t, std::size_t, float);

}  // namespace perf::workloads

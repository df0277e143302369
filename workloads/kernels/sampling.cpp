#include "workloads/kernels/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "workloads/kernels/fast_exp.h"
#include "workloads/kernels/largest.h"

namespace perf::workloads {

namespace {

// Sum of the values that reach the threshold, in single precision within chunks of 1024.
double mass_from(float threshold, const float* values, std::size_t count) {
  double total = 0;
  for (std::size_t begin = 0; begin < count; begin += 1024) {
    const std::size_t end = std::min(count, begin + 1024);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = begin; i < end; ++i)
      sum += values[i] >= threshold ? values[i] : 0.0F;
    total += sum;
  }
  return total;
}

}  // namespace

Nucleus find_nucleus(const float* logits, std::size_t count, float temperature, float top_p,
                     float* probabilities) {
  const float largest = largest_value(logits, count);
  const float inverse = 1.0F / temperature;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i)
    probabilities[i] = fast_exp((logits[i] - largest) * inverse);
  const double total = mass_from(0, probabilities, count);
  if (top_p >= 1)
    return {.threshold = 0, .mass = total, .size = count};
  // Positive floats are ordered as their bits are: halving the bits ends, after at most 30 rounds,
  // on the largest threshold that keeps enough, exactly. `low` keeps enough, `high` does not.
  std::uint32_t low = 0, high = std::bit_cast<std::uint32_t>(1.0F) + 1;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    const bool enough =
        mass_from(std::bit_cast<float>(middle), probabilities, count) >= top_p * total;
    (enough ? low : high) = middle;
  }
  Nucleus nucleus{.threshold = std::bit_cast<float>(low)};
  nucleus.mass = mass_from(nucleus.threshold, probabilities, count);
  nucleus.size = static_cast<std::size_t>(std::count_if(
      probabilities, probabilities + count, [&](float p) { return p >= nucleus.threshold; }));
  return nucleus;
}

Nucleus find_nucleus_reference(const float* logits, std::size_t count, float temperature,
                               float top_p) {
  const double largest = *std::max_element(logits, logits + count);
  std::vector<double> sorted(count);
  double total = 0;
  for (std::size_t i = 0; i < count; ++i)
    total += sorted[i] = std::exp((logits[i] - largest) / temperature);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  Nucleus nucleus;
  while (nucleus.size < count && (top_p >= 1 || nucleus.mass < top_p * total))
    nucleus.mass += sorted[nucleus.size++];
  nucleus.threshold = static_cast<float>(sorted[nucleus.size - 1]);
  return nucleus;
}

std::size_t draw(const Nucleus& nucleus, const float* probabilities, std::size_t count,
                 double unit) {
  double left = unit * nucleus.mass;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (probabilities[i] < nucleus.threshold)
      continue;
    chosen = i;
    left -= probabilities[i];
    if (left < 0)
      break;
  }
  return chosen;  // the last of the nucleus, should rounding leave a remainder
}

}  // namespace perf::workloads

#include "workloads/kernels/token_probability.h"

#include <algorithm>

#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kParts = 32;  // however many threads there are
constexpr std::size_t kRun = 1024;  // values whose sum stays in single precision

double sum_of_powers(const float* logits, std::size_t count, float shift) {
  double total = 0;
  for (std::size_t first = 0; first < count; first += kRun) {
    const std::size_t some = std::min(kRun, count - first);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < some; ++i) {
      sum += fast_exp(logits[first + i] - shift);
    }
    total += sum;
  }
  return total;
}

}  // namespace

float token_probability(const float* logits, std::size_t count, std::size_t token) {
  // Beside the token's own logit nothing need be known of the largest: where that is so much larger
  // that a power overflows, the probability is 0.
  const float shift = logits[token];
  double sums[kParts];
#pragma omp parallel for schedule(static) if (count > 16384)
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t first = part * count / kParts, last = (part + 1) * count / kParts;
    sums[part] = sum_of_powers(logits + first, last - first, shift);
  }
  double total = 0;
  for (const double sum : sums) {
    total += sum;
  }
  const double probability = 1 / total;
  // fast_exp() stops at e^88; NaN compares false.
  return probability > 1e-38 ? static_cast<float>(probability) : 0.0F;
}

}  // namespace perf::workloads

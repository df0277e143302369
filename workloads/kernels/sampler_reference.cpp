#include <algorithm>
#include <cmath>
#include <functional>

#include "workloads/kernels/sampler.h"

namespace perf::workloads {

namespace {

// The least of the values that may be drawn, of all of them in falling order.
double border(const SamplingOptions& options, const std::vector<double>& falling, double total) {
  if (options.method == SamplingMethod::top_k) {
    return falling[std::min(falling.size(), static_cast<std::size_t>(options.top_k)) - 1];
  }
  if (options.method == SamplingMethod::temperature || options.top_p >= 1) {
    return 0;
  }
  double sum = 0;
  std::size_t size = 0;
  while (size < falling.size() && sum < options.top_p * total) {
    sum += falling[size++];
  }
  return falling[size - 1];
}

}  // namespace

std::vector<double> sampling_probabilities_reference(const SamplingOptions& options,
                                                     const float* logits, std::size_t vocabulary) {
  std::vector<double> probabilities(vocabulary);
  const float* largest = std::max_element(logits, logits + vocabulary);
  double total = 0;
  for (std::size_t i = 0; i < vocabulary; ++i) {
    const double above = static_cast<double>(logits[i]) - *largest;
    total += probabilities[i] = std::exp(above / options.temperature);
  }
  if (std::isnan(total)) {
    return std::vector<double>(vocabulary, total);
  }
  if (options.method == SamplingMethod::greedy) {
    std::fill(probabilities.begin(), probabilities.end(), 0);
    probabilities[static_cast<std::size_t>(largest - logits)] = 1;
    return probabilities;
  }
  std::vector<double> falling = probabilities;
  std::sort(falling.begin(), falling.end(), std::greater<>());
  const double least = border(options, falling, total);
  double kept = 0;
  for (double& probability : probabilities) {
    probability = probability >= least ? probability : 0;
    kept += probability;
  }
  for (double& probability : probabilities) {
    probability /= kept;
  }
  return probabilities;
}

}  // namespace perf::workloads

#include "workloads/inference/sampling_check.h"

#include <algorithm>
#include <cmath>

#include "workloads/kernels/agreement.h"

namespace perf::workloads {

namespace {

constexpr double kExpectedInRange = 10;

// The least probable token that may be drawn.
std::size_t least_probable(const std::vector<double>& probabilities) {
  const auto rank = [](double probability) { return probability > 0 ? probability : 2; };
  return static_cast<std::size_t>(
      std::min_element(probabilities.begin(), probabilities.end(),
                       [&](double a, double b) { return rank(a) < rank(b); }) -
      probabilities.begin());
}

// Both errors of each draw; `up_to` (V+1): the probabilities added up. NaN is kept.
void check_tokens(const SamplingOptions& options, const float* logits, float border,
                  const std::vector<double>& up_to, const std::vector<Sampling::Draw>& draws,
                  DrawErrors& errors) {
  const double temperature = options.method == SamplingMethod::greedy ? 1 : options.temperature;
  for (const auto& [unit, token] : draws) {
    const double outside = std::max(up_to[token] - unit, unit - up_to[token + 1]);
    keep_worse(errors.position, outside <= 0 ? 0 : outside);
    const double below = (static_cast<double>(border) - logits[token]) / temperature;
    keep_worse(errors.outside, below <= 0 ? 0 : 1 - std::exp(-below));
  }
}

void check_frequencies(const std::vector<double>& up_to, const std::vector<Sampling::Draw>& draws,
                       DrawErrors& errors) {
  const auto count = static_cast<double>(draws.size());
  std::vector<double> drawn(up_to.size() - 1);
  for (const Sampling::Draw& draw : draws) {
    ++drawn[draw.token];
  }
  double seen = 0, begin = 0;  // draws in the range, and the probability before it
  const auto end_range = [&](double end) {
    const double expected = count * (end - begin);
    errors.chi_square += (seen - expected) * (seen - expected) / expected;
    seen = 0;
    begin = end;
  };
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    seen += drawn[i];
    const double end = up_to[i + 1];
    if (count * (end - begin) < kExpectedInRange || count * (1 - end) < kExpectedInRange) {
      continue;  // too few, or too few behind it to make a range of their own
    }
    end_range(end);
    ++errors.freedom;
  }
  if (begin > 0) {
    end_range(1);
  }
}

}  // namespace

void DrawErrors::add(const DrawErrors& other) {
  keep_worse(position, other.position);
  keep_worse(outside, other.outside);
  chi_square += other.chi_square;
  freedom += other.freedom;
}

double DrawErrors::frequency() const {
  if (freedom == 0) {
    return 0;
  }
  const double variance = 2 / (9 * static_cast<double>(freedom));
  const double root = std::cbrt(chi_square / static_cast<double>(freedom));
  const double deviations = (root - (1 - variance)) / std::sqrt(variance);
  return deviations < 0 ? 0 : deviations;  // NaN is kept
}

DrawErrors draw_errors(const SamplingOptions& options, const float* logits, std::size_t vocabulary,
                       const std::vector<Sampling::Draw>& draws) {
  const std::vector<double> probabilities =
      sampling_probabilities_reference(options, logits, vocabulary);
  std::vector<double> up_to(vocabulary + 1);
  for (std::size_t i = 0; i < vocabulary; ++i) {
    up_to[i + 1] = up_to[i] + probabilities[i];
  }
  DrawErrors errors;
  const float border = logits[least_probable(probabilities)];
  check_tokens(options, logits, border, up_to, draws, errors);
  check_frequencies(up_to, draws, errors);
  return errors;
}

}  // namespace perf::workloads

#include "workloads/kernels/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kChunk = 2048;         // what a thread takes at once
constexpr std::size_t kManyTokens = 40'000;  // fewer are not worth waking other threads for
constexpr float kSmallestLogarithm = -87;    // where fast_exp ends
constexpr float kSmallest = std::numeric_limits<float>::min();  // less than e^-87, more than 0

// e^((logit - largest) / temperature).
float probability(float logit, float largest, float inverse_temperature) {
  const float logarithm = (logit - largest) * inverse_temperature;
  const float result = fast_exp(logarithm);
  return logarithm > kSmallestLogarithm ? result : 0.0F;
}

bool draws_from_all(const SamplingOptions& options, std::size_t vocabulary) {
  return options.method == SamplingMethod::temperature ||
         (options.method == SamplingMethod::top_p && options.top_p >= 1) ||
         (options.method == SamplingMethod::top_k &&
          static_cast<std::size_t>(options.top_k) >= vocabulary);
}

// Written so that NaN is refused as well.
void require_usable(const SamplingOptions& options, std::size_t vocabulary) {
  if (!(options.temperature > 0)) {
    throw std::invalid_argument("a temperature must be above 0");
  }
  if (options.top_k < 1) {
    throw std::invalid_argument("top-k must be 1 or more");
  }
  if (!(options.top_p > 0 && options.top_p <= 1)) {
    throw std::invalid_argument("top-p must be above 0 and at most 1");
  }
  if (vocabulary == 0) {
    throw std::invalid_argument("there is no token to draw");
  }
}

// How many of the vocabulary need room under these options.
std::size_t weighed(const SamplingOptions& options, std::size_t vocabulary) {
  return options.method == SamplingMethod::greedy ? 0 : vocabulary;
}
std::size_t cut(const SamplingOptions& options, std::size_t vocabulary) {
  return draws_from_all(options, vocabulary) ? 0 : weighed(options, vocabulary);
}

}  // namespace

const std::vector<std::string>& sampling_method_names() {
  static const std::vector<std::string> names = {"greedy", "temperature", "top-k", "top-p"};
  return names;
}

SamplingMethod sampling_method_from(const std::string& name) {
  const std::vector<std::string>& names = sampling_method_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw std::invalid_argument("no such way of sampling: " + name);
  }
  return static_cast<SamplingMethod>(found - names.begin());
}

const std::string& name_of(SamplingMethod method) {
  return sampling_method_names()[static_cast<std::size_t>(method)];
}

Sampler::Sampler(const SamplingOptions& options, std::size_t vocabulary, Ledger& memory)
    : options_(options),
      vocabulary_(vocabulary),
      chunks_((vocabulary + kChunk - 1) / kChunk),
      // Finite, so that the most probable is 0 * it below itself, and not NaN.
      inverse_temperature_(static_cast<float>(
          std::min<double>(1 / options.temperature, std::numeric_limits<float>::max()))),
      largest_(vocabulary, options.method == SamplingMethod::top_k, memory),
      cutoff_(cut(options, vocabulary), memory),
      probabilities_(memory.take<float>(Purpose::workspace, weighed(options, vocabulary))),
      masses_(memory.take<float>(Purpose::workspace, chunks_)) {
  require_usable(options, vocabulary);
}

std::size_t Sampler::choose(const float* logits, double unit) {
  largest_.scan(logits);
  if (largest_.has_nan()) {
    return static_cast<std::size_t>(
        std::find_if(logits, logits + vocabulary_, [](float x) { return x != x; }) - logits);
  }
  if (options_.method == SamplingMethod::greedy || !std::isfinite(largest_.largest())) {
    return largest_.first_largest();
  }
  if (options_.method == SamplingMethod::top_k) {
    std::size_t found = 0;
    const auto* candidates = largest_.candidates(static_cast<std::size_t>(options_.top_k), found);
    if (candidates != nullptr) {
      return choose_among(candidates, found, unit);
    }
  }
  weigh(logits);
  if (draws_from_all(options_, vocabulary_)) {
    return draw(kSmallest, unit);
  }
  const float least = border(total_mass());
  weigh_from(least);
  return draw(least, unit);
}

std::size_t Sampler::choose_among(const LargestLogits::Candidate* candidates, std::size_t count,
                                  double unit) const {
  const auto weight = [&](std::size_t i) {
    return static_cast<double>(
        probability(candidates[i].logit, largest_.largest(), inverse_temperature_));
  };
  double left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    left += weight(i);
  }
  left *= unit;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double mass = weight(i);
    if (mass == 0) {
      continue;
    }
    chosen = candidates[i].token;
    left -= mass;
    if (left < 0) {
      break;
    }
  }
  return chosen;
}

void Sampler::weigh(const float* logits) {
  const float largest = largest_.largest(), inverse = inverse_temperature_;
#pragma omp parallel for schedule(static) if (vocabulary_ > kManyTokens)
  for (std::size_t c = 0; c < chunks_; ++c) {
    const std::size_t end = std::min((c + 1) * kChunk, vocabulary_);
    float* probabilities = probabilities_;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = c * kChunk; i < end; ++i) {
      probabilities[i] = probability(logits[i], largest, inverse);
      sum += probabilities[i];
    }
    masses_[c] = sum;
  }
}

double Sampler::total_mass() const {
  double total = 0;
  for (std::size_t c = 0; c < chunks_; ++c) {
    total += masses_[c];
  }
  return total;
}

// The least probability that may be drawn.
float Sampler::border(double total) {
  if (options_.method == SamplingMethod::top_k) {
    return cutoff_.find(probabilities_, Cutoff::Worth::one, options_.top_k, kSmallest);
  }
  // Those below the share of the tail that each token would have are, together, less than it.
  const double tail = (1 - options_.top_p) * total / static_cast<double>(vocabulary_);
  const auto least = static_cast<float>(std::max<double>(0.99 * tail, kSmallest));
  return cutoff_.find(probabilities_, Cutoff::Worth::value, options_.top_p * total, least);
}

void Sampler::weigh_from(float least) {
#pragma omp parallel for schedule(static) if (vocabulary_ > kManyTokens)
  for (std::size_t c = 0; c < chunks_; ++c) {
    const std::size_t end = std::min((c + 1) * kChunk, vocabulary_);
    const float* probabilities = probabilities_;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = c * kChunk; i < end; ++i) {
      sum += probabilities[i] >= least ? probabilities[i] : 0.0F;
    }
    masses_[c] = sum;
  }
}

// First the chunk, then the token in it.
std::size_t Sampler::draw(float least, double unit) const {
  double left = unit * total_mass();
  std::size_t chunk = 0;
  for (std::size_t c = 0; c < chunks_; ++c) {
    if (masses_[c] == 0) {
      continue;
    }
    chunk = c;
    if (left < masses_[c]) {
      break;
    }
    left -= masses_[c];
  }
  std::size_t chosen = 0;
  const std::size_t end = std::min((chunk + 1) * kChunk, vocabulary_);
  for (std::size_t i = chunk * kChunk; i < end; ++i) {
    if (probabilities_[i] < least) {
      continue;
    }
    chosen = i;
    left -= probabilities_[i];
    if (left < 0) {
      break;
    }
  }
  return chosen;  // the last of the chunk, should rounding leave a remainder
}

Ledger room_for_sampler(const SamplingOptions& options, std::size_t vocabulary) {
  Ledger counted;
  Sampler(options, vocabulary, counted);
  return Ledger(counted);
}

}  // namespace perf::workloads

#include "workloads/kernels/optimizer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace perf::workloads {

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names = {"adamw", "momentum", "sgd"};
  return names;
}

OptimizerKind optimizer_from(const std::string& name) {
  const std::vector<std::string>& names = optimizer_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw std::invalid_argument("unknown optimizer '" + name + "'");
  }
  return static_cast<OptimizerKind>(found - names.begin());
}

std::string name_of(OptimizerKind kind) {
  return optimizer_names().at(static_cast<std::size_t>(kind));
}

std::size_t states_of(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::adamw:
      return 2;
    case OptimizerKind::momentum:
      return 1;
    case OptimizerKind::sgd:
      return 0;
  }
  return 0;
}

namespace {

/// The options as the loops want them. Decay and step are subtracted together: 1 - lr * decay as a
/// factor would be rounded itself, by several percent of a small decay.
struct Factors {
  explicit Factors(const OptimizerOptions& options)
      : rate(static_cast<float>(options.adamw.learning_rate)),
        decay(static_cast<float>(options.adamw.learning_rate * options.adamw.weight_decay)),
        scale(static_cast<float>(options.gradient_scale)) {}

  float rate, decay, scale;
};

// Calls loop(begin, end) on the threads for ranges that cover [0, count). Their borders are fixed:
// the last bit of a result may depend on whether the vectors or the loop for the remainder took it,
// and must not depend on the number of threads.
template <class Loop>
void for_ranges(std::size_t count, Loop loop) {
  constexpr std::size_t kRange = 16384;
  const std::size_t ranges = (count + kRange - 1) / kRange;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < ranges; ++i) {
    loop(i * kRange, std::min(count, (i + 1) * kRange));
  }
}

template <class T, class State>
void adamw_step(const OptimizerOptions& options, int step, std::size_t count, T* parameters,
                const T* gradients, State* first, State* second) {
  const AdamW& adamw = options.adamw;
  const double correction1 = 1 - std::pow(adamw.beta1, step);
  const double correction2 = std::sqrt(1 - std::pow(adamw.beta2, step));
  // m_hat / (sqrt(v_hat) + e)  =  (c2/c1) m / (sqrt(v) + e c2), with c2 under the root already.
  const auto b1 = static_cast<float>(adamw.beta1), a1 = static_cast<float>(1 - adamw.beta1);
  const auto b2 = static_cast<float>(adamw.beta2), a2 = static_cast<float>(1 - adamw.beta2);
  const auto rate = static_cast<float>(adamw.learning_rate * correction2 / correction1);
  const auto epsilon = static_cast<float>(adamw.epsilon * correction2);
  const Factors factors(options);
  for_ranges(count, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) {
      const float g = widen(gradients[i]) * factors.scale, p = widen(parameters[i]);
      const float m = b1 * widen(first[i]) + a1 * g;
      const float v = b2 * widen(second[i]) + a2 * g * g;
      first[i] = narrow<State>(m);
      second[i] = narrow<State>(v);
      parameters[i] = narrow<T>(p - (rate * m / (std::sqrt(v) + epsilon) + factors.decay * p));
    }
  });
}

template <class T>
void sgd_step(const OptimizerOptions& options, std::size_t count, T* parameters,
              const T* gradients) {
  const Factors factors(options);
  for_ranges(count, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) {
      const float g = widen(gradients[i]) * factors.scale, p = widen(parameters[i]);
      parameters[i] = narrow<T>(p - (factors.rate * g + factors.decay * p));
    }
  });
}

template <class T, class State>
void momentum_step(const OptimizerOptions& options, std::size_t count, T* parameters,
                   const T* gradients, State* momentum) {
  const auto keep = static_cast<float>(options.momentum);
  const Factors factors(options);
  for_ranges(count, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) {
      const float g = widen(gradients[i]) * factors.scale, p = widen(parameters[i]);
      const float b = keep * widen(momentum[i]) + g;
      momentum[i] = narrow<State>(b);
      parameters[i] = narrow<T>(p - (factors.rate * b + factors.decay * p));
    }
  });
}

}  // namespace

template <class T, class State>
void optimize(const OptimizerOptions& options, int step, std::size_t count, T* parameters,
              const T* gradients, State* first, State* second) {
  switch (options.kind) {
    case OptimizerKind::adamw:
      return adamw_step(options, step, count, parameters, gradients, first, second);
    case OptimizerKind::sgd:
      return sgd_step(options, count, parameters, gradients);
    case OptimizerKind::momentum:
      return momentum_step(options, count, parameters, gradients, first);
  }
}

template void optimize(const OptimizerOptions&, int, std::size_t, float*, const float*, float*,
                       float*);
template void optimize(const OptimizerOptions&, int, std::size_t, Bf16*, const Bf16*, Bf16*, Bf16*);
template void optimize(const OptimizerOptions&, int, std::size_t, Bf16*, const Bf16*, float*,
                       float*);
template void optimize(const OptimizerOptions&, int, std::size_t, Fp16*, const Fp16*, Fp16*, Fp16*);
template void optimize(const OptimizerOptions&, int, std::size_t, Fp16*, const Fp16*, float*,
                       float*);

}  // namespace perf::workloads

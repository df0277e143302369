#include "workloads/kernels/adamw.h"

#include <cmath>

namespace perf::workloads {

void adamw_reference(const AdamW& options, int step, std::size_t count, float* parameters,
                     const float* gradients, float* mean, float* variance) {
  const auto [learning_rate, beta1, beta2, epsilon, weight_decay] = options;
  for (std::size_t i = 0; i < count; ++i) {
    const double g = gradients[i];
    const double m = beta1 * mean[i] + (1 - beta1) * g;
    const double v = beta2 * variance[i] + (1 - beta2) * g * g;
    const double m_hat = m / (1 - std::pow(beta1, step));
    const double v_hat = v / (1 - std::pow(beta2, step));
    const double p = parameters[i];
    mean[i] = static_cast<float>(m);
    variance[i] = static_cast<float>(v);
    parameters[i] = static_cast<float>(
        p - learning_rate * (m_hat / (std::sqrt(v_hat) + epsilon) + weight_decay * p));
  }
}

void adamw(const AdamW& options, int step, std::size_t count, float* parameters,
           const float* gradients, float* mean, float* variance) {
  const double correction1 = 1 - std::pow(options.beta1, step);
  const double correction2 = std::sqrt(1 - std::pow(options.beta2, step));
  // m_hat / (sqrt(v_hat) + e)  =  (c2/c1) m / (sqrt(v) + e c2), with c2 under the root already.
  const auto b1 = static_cast<float>(options.beta1), a1 = static_cast<float>(1 - options.beta1);
  const auto b2 = static_cast<float>(options.beta2), a2 = static_cast<float>(1 - options.beta2);
  const auto rate = static_cast<float>(options.learning_rate * correction2 / correction1);
  const auto epsilon = static_cast<float>(options.epsilon * correction2);
  const auto keep = static_cast<float>(1 - options.learning_rate * options.weight_decay);
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradients[i];
    const float m = b1 * mean[i] + a1 * g;
    const float v = b2 * variance[i] + a2 * g * g;
    mean[i] = m;
    variance[i] = v;
    parameters[i] = keep * parameters[i] - rate * m / (std::sqrt(v) + epsilon);
  }
}

}  // namespace perf::workloads

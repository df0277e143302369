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
  optimize(OptimizerOptions{.adamw = options}, step, count, parameters, gradients, mean, variance);
}

}  // namespace perf::workloads

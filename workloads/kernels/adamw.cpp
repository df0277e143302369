#include "workloads/kernels/adamw.h"

#include <cmath>

namespace perf::workloads {

template <class T>
void adamw_reference(const AdamW& options, double scale, int step, std::size_t count, T* parameters,
                     const T* gradients, float* mean, float* variance) {
  const auto [learning_rate, beta1, beta2, epsilon, weight_decay] = options;
  for (std::size_t i = 0; i < count; ++i) {
    const double g = scale * double{widen(gradients[i])};
    const double m = beta1 * mean[i] + (1 - beta1) * g;
    const double v = beta2 * variance[i] + (1 - beta2) * g * g;
    const double m_hat = m / (1 - std::pow(beta1, step));
    const double v_hat = v / (1 - std::pow(beta2, step));
    const double p = widen(parameters[i]);
    mean[i] = static_cast<float>(m);
    variance[i] = static_cast<float>(v);
    parameters[i] = narrow<T>(static_cast<float>(
        p - learning_rate * (m_hat / (std::sqrt(v_hat) + epsilon) + weight_decay * p)));
  }
}

template <class T>
void adamw(const AdamW& options, double scale, int step, std::size_t count, T* parameters,
           const T* gradients, float* mean, float* variance) {
  optimize(OptimizerOptions{.adamw = options, .gradient_scale = scale}, step, count, parameters,
           gradients, mean, variance);
}

#define PERF_ADAMW(T)                                                                         \
  template void adamw(const AdamW&, double, int, std::size_t, T*, const T*, float*, float*);  \
  template void adamw_reference(const AdamW&, double, int, std::size_t, T*, const T*, float*, \
                                float*);
PERF_ADAMW(float)
PERF_ADAMW(Bf16)
PERF_ADAMW(Fp16)
#undef PERF_ADAMW

}  // namespace perf::workloads

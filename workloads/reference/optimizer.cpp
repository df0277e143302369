#include "workloads/reference/optimizer.h"

#include <cmath>

namespace perf::workloads {

namespace {

// Kingma and Ba, arXiv:1412.6980, algorithm 1.
double adam_direction(const AdamW& options, int step, double gradient, double& mean,
                      double& variance) {
  mean = options.beta1 * mean + (1 - options.beta1) * gradient;
  variance = options.beta2 * variance + (1 - options.beta2) * gradient * gradient;
  const double m_hat = mean / (1 - std::pow(options.beta1, step));
  const double v_hat = variance / (1 - std::pow(options.beta2, step));
  return m_hat / (std::sqrt(v_hat) + options.epsilon);
}

}  // namespace

void reference_optimize(const OptimizerOptions& options, int step, std::vector<double>& values,
                        const std::vector<double>& gradients, ReferenceStates& states) {
  states.first.resize(values.size());
  states.second.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double direction = gradients[i];
    if (options.kind == OptimizerKind::adamw) {
      direction =
          adam_direction(options.adamw, step, gradients[i], states.first[i], states.second[i]);
    } else if (options.kind == OptimizerKind::momentum) {
      direction = states.first[i] = options.momentum * states.first[i] + gradients[i];
    }
    // Decay apart from the gradient: Loshchilov and Hutter, arXiv:1711.05101.
    values[i] -= options.adamw.learning_rate * (direction + options.adamw.weight_decay * values[i]);
  }
}

}  // namespace perf::workloads

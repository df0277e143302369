#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/kernels/dtype.h"

namespace perf::workloads {

enum class OptimizerKind { adamw, momentum, sgd };

/// "adamw", "momentum", "sgd": in the order of OptimizerKind.
const std::vector<std::string>& optimizer_names();
/// Throws std::invalid_argument for another name.
OptimizerKind optimizer_from(const std::string& name);
std::string name_of(OptimizerKind kind);
/// Values of state a parameter: 2, 1, 0.
std::size_t states_of(OptimizerKind kind);

/// AdamW (Loshchilov and Hutter, arXiv:1711.05101, algorithm 2, with decoupled weight decay):
///     m = b1 m + (1-b1) g;   v = b2 v + (1-b2) g^2
///     p -= lr ( m/(1-b1^t) / (sqrt(v/(1-b2^t)) + epsilon) + decay p )
struct AdamW {
  double learning_rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 0.01;
};

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::adamw;
  AdamW adamw;            ///< learning rate and weight decay serve all kinds, decoupled as in AdamW
  double momentum = 0.9;  ///< b = momentum b + g;  p -= lr b   (PyTorch's SGD without dampening)
  double gradient_scale = 1;  ///< gradients are multiplied by this first: undoes a loss scale
};

/// One step in one pass over `count` parameters; `step` counts from 1. States hold zeros at first
/// and are null where the kind has none: first is AdamW's mean or the momentum, second AdamW's
/// variance. Computed in single precision, rounded once into T and State; State is T or float.
///
/// Rounding is to nearest, so a 16-bit parameter stays where it is unless its update exceeds half
/// of its last place: |p|/512 to |p|/256 for Bf16 (8 bits of precision), an eighth of that for Fp16
/// (11 bits). AdamW moves by about the learning rate: at 1e-4 a Bf16 parameter above 0.05 does not
/// move at all. Moments in 16 bits have the same trap: at beta2 = 0.999 a Bf16 variance can grow
/// but never shrink, and an Fp16 one stays 0 for gradients below 5e-3. States in float avoid the
/// latter.
template <class T, class State>
void optimize(const OptimizerOptions& options, int step, std::size_t count, T* parameters,
              const T* gradients, State* first, State* second);

}  // namespace perf::workloads

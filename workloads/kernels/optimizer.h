#pragma once

#include <cstddef>
#include <string>

#include "workloads/kernels/adamw.h"
#include "workloads/kernels/dtype.h"

namespace perf::workloads {

enum class OptimizerKind { adamw, sgd, momentum };

/// "adamw", "sgd", "momentum". The first throws std::invalid_argument for another name.
OptimizerKind optimizer_from(const std::string& name);
std::string name_of(OptimizerKind kind);
/// Values of state a parameter: 2, 0, 1.
std::size_t states_of(OptimizerKind kind);

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

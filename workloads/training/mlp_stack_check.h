#pragma once

#include <cstddef>

#include "workloads/training/mlp_stack.h"

namespace perf::workloads {

/// What each error may be. Single precision sums of up to 8192 products against double ones: about
/// 1e-6 is seen. In 16 bits, r = 2^-8 or 2^-11 of a value, every array is rounded as it is stored:
/// a few r of the largest value over the layers of the small stack, and of the large one, whose
/// branches are damped; a step of 1e-4 is less than a 16-bit parameter's last place, so that what
/// rounding explains is forgiven.
struct MlpTolerances {
  double forward = 2e-5, gradient = 1e-4;
  double update = 2e-3;  ///< one step of 1e-4 on 0.3 in floats
};
MlpTolerances mlp_tolerances(DType dtype);

/// Largest relative error of the first `rows` tokens of stack.output() against the reference run
/// on the stack's parameters. stack.forward() must have run on those.
template <class T>
double forward_error(const MlpStackOf<T>& stack, std::size_t rows);

/// Largest relative error of any array of gradients against the reference, biases apart from
/// weights. forward(), loss() and backward() must have run on the stack's parameters.
template <class T>
double gradient_error(const MlpStackOf<T>& stack);

/// Runs stack.update() and compares the *changes* of the parameters with the reference's, but for
/// what rounding to 16 bits explains. Both use the stack's own gradients: the first step of AdamW
/// is nearly lr * sign(gradient), so that a gradient of almost 0 would make a difference out of
/// rounding.
template <class T>
double update_error(MlpStackOf<T>& stack, const AdamW& options);

}  // namespace perf::workloads

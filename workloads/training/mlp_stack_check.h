#pragma once

#include <cstddef>

#include "workloads/training/mlp_stack.h"

namespace perf::workloads {

/// Single precision sums of up to 8192 products against double ones: about 1e-6 is seen.
inline constexpr double kForwardTolerance = 2e-5;
inline constexpr double kGradientTolerance = 1e-4;
inline constexpr double kUpdateTolerance = 2e-3;  // one step of 1e-4 on 0.3 in floats

/// Largest relative error of the first `rows` tokens of stack.output() against the reference run
/// on the stack's parameters. stack.forward() must have run on those.
double forward_error(const MlpStack& stack, std::size_t rows);

/// Largest relative error of any array of gradients against the reference, biases apart from
/// weights. forward(), loss() and backward() must have run on the stack's parameters.
double gradient_error(const MlpStack& stack);

/// Runs stack.update() and compares the *changes* of the parameters with the reference's. Both use
/// the stack's own gradients: the first step of AdamW is nearly lr * sign(gradient), so that a
/// gradient of almost 0 would make a difference out of rounding.
double update_error(MlpStack& stack, const AdamW& options);

}  // namespace perf::workloads

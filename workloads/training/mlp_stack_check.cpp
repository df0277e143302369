#include "workloads/training/mlp_stack_check.h"

#include <algorithm>
#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/training/mlp_stack_reference.h"

namespace perf::workloads {

double forward_error(const MlpStack& stack, std::size_t rows) {
  MlpShape slice = stack.shape();
  slice.tokens = static_cast<int>(std::min(rows, slice.rows()));
  const MlpActivations reference = reference_forward(slice, stack.parameters(), stack.input());
  const std::vector<double>& want = reference.outputs.back();
  return largest_relative_error(stack.output(), want.data(), want.size());
}

double gradient_error(const MlpStack& stack) {
  MlpReference reference(stack);
  reference.forward();
  reference.backward();
  const MlpShape& shape = stack.shape();
  double worst = 0;
  const auto compare = [&](std::size_t offset, std::size_t count) {
    const double error =
        largest_relative_error(stack.gradients() + offset, &reference.gradients[offset], count);
    if (!(error <= worst)) {
      worst = error;
    }
  };
  for (int layer = 0; layer < shape.layers; ++layer) {
    compare(shape.w1(layer), shape.width() * shape.inner());
    compare(shape.b1(layer), shape.inner());
    compare(shape.w2(layer), shape.width() * shape.inner());
    compare(shape.b2(layer), shape.width());
  }
  return worst;
}

double update_error(MlpStack& stack, const AdamW& options) {
  MlpReference reference(stack);
  reference.gradients.assign(stack.gradients(), stack.gradients() + stack.shape().parameters());
  const std::vector<double> before = reference.parameters;
  reference.update(options, 1);
  stack.update(options);
  std::vector<double> got(before.size()), want(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    got[i] = static_cast<double>(stack.parameters()[i]) - before[i];
    want[i] = reference.parameters[i] - before[i];
  }
  return largest_relative_error(got.data(), want.data(), want.size());
}

}  // namespace perf::workloads

#pragma once

#include <cstddef>
#include <vector>

#include "workloads/reference/optimizer.h"
#include "workloads/training/mlp_stack.h"

namespace perf::workloads {

/// What a forward pass leaves behind.
struct MlpActivations {
  std::vector<std::vector<double>> outputs;  // layers + 1 times (N,H); [0] is the input
  std::vector<std::vector<double>> pre;      // layers times (N,4H)
};

/// MlpStack::forward in double precision and plain loops. parameters as MlpShape lays them out,
/// input (N,H). Value: that of the stack, so that a large network is not copied for it, or double.
template <class Value>
MlpActivations reference_forward(const MlpShape& shape, const Value* parameters,
                                 const Value* input);

/// The whole step so: what the fast one is checked against, and itself checked against finite
/// differences in the tests.
struct MlpReference {
  MlpShape shape;
  std::vector<double> parameters, gradients;  // laid out as in MlpShape
  ReferenceStates states;
  std::vector<double> input, target;  // (N,H)
  MlpActivations activations;

  /// A copy of the network's parameters, input and target as they are now.
  template <class T>
  explicit MlpReference(const MlpStackOf<T>& stack);

  void forward();
  double loss() const;
  void backward();
  void update(const AdamW& options, int step);
};

}  // namespace perf::workloads

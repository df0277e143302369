#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/micro/layer_under_test.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// The same part, type and backend on two short sequences of a narrow layer, which the reference's
/// plain loops take milliseconds for. Sequences are longer than a tile of attention's rows.
TrainingSetup small_layer_setup(LayerPart part, const TrainingSetup& setup);

/// A layer against training/decoder_reference.h on the same weights, input and gradient from above.
struct LayerParity {
  double output = 0, grad_in = 0;
  double gradients = 0;  ///< of the worst tensor, q, k and v each by itself
  std::string where;     ///< which that is
};
/// forward() and backward() must have run.
template <class T>
LayerParity layer_parity(const LayerUnderTest<T>& layer);

/// What a call leaves: output, the input's gradient, those of all weights.
template <class T>
struct LayerResults {
  std::vector<T> out, grad_in, gradients;

  static LayerResults of(const LayerUnderTest<T>& layer);
  /// How many values are not the same to the last bit.
  std::size_t different_from(const LayerResults& other) const;
};

/// What each error may be.
struct LayerTolerances {
  double forward = 0, gradient = 0;  ///< of layer_parity
  double link = 0;                   ///< of all_links() (layer_links.h)
};
LayerTolerances layer_tolerances(DType dtype);

std::vector<std::string> layer_checks();

/// Checks the layer that was timed, whose arrays are as the last call left them, and a small one.
template <class T>
void check_layer(LayerUnderTest<T>& timed, perf_compare::StepEmitter& out);

}  // namespace perf::workloads

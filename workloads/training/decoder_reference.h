#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "workloads/reference/linear.h"
#include "workloads/reference/optimizer.h"  // the other half of a step
#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// The whole training step in double precision and plain loops: what the fast one is checked
/// against, and itself checked against finite differences in the tests. A student can read it.
/// dtype, backend, checkpointing and the loss scale of a setup change nothing here.
class DecoderReference {
 public:
  /// parameters as ModelLayout has them, adapters as LoraLayout (empty without); tokens and targets
  /// (batch,length). Throws std::invalid_argument where a size does not fit the setup.
  DecoderReference(const TrainingSetup& setup, std::vector<double> parameters,
                   std::vector<double> adapters, std::vector<int> tokens, std::vector<int> targets);

  /// Mean cross-entropy in nats a token; keeps what backward() needs, all of it.
  double forward();
  /// Gradients of the trained parameters (all, or the adapters').
  std::vector<double> backward();

  /// The layers alone, without loss: their outputs as layer_input() has them, and all gradients
  /// from that of the last one's output (rows,H); the embedding's is that of the layers' input.
  void forward_layers();
  std::vector<double> backward_layers(std::vector<double> grad);

  /// (rows,H): what goes into `layer`; `layers` is what comes out of the last.
  const std::vector<double>& layer_input(int layer) const {
    return inputs_[static_cast<std::size_t>(layer)];
  }
  const std::vector<double>& logits() const { return logits_; }  ///< (rows,V)

 private:
  using Values = std::vector<double>;
  /// What a layer's way back reads, beside its input.
  struct Layer {
    Values normed1;    // (rows,H)
    Values qkv;        // (rows,W), rotated
    Values attended;   // (rows,Q)
    Values middle;     // (rows,H): the input and attention's branch
    Values normed2;    // (rows,H)
    Values gate_up;    // (rows,2I)
    Values activated;  // (rows,I)
  };

  void layer_forward(int layer);
  /// grad (rows,H): the gradient of the layer's output becomes that of its input.
  void layer_backward(int layer, Values& grad);
  /// Adds to the gradients; returns them.
  std::vector<double> layers_backward(Values grad);
  void output_forward();
  /// The gradient of the last layer's output.
  Values output_backward();

  /// out += W in, and the adapter's part.
  void apply(int layer, Projection target, const Values& in, Values& out) const;
  /// grad_in += W^T grad_out, and the adapter's part; adds to the gradients of what is trained.
  void apply_backward(int layer, Projection target, const Values& in, const Values& grad_out,
                      Values& grad_in);
  struct Map;
  Map map(int layer, Projection target) const;
  /// A and B of its adapter.
  std::pair<reference::Matrix, reference::Matrix> adapter_matrices(const Map& map) const;
  reference::Matrix output_matrix() const;  ///< of a tied model the embedding once more
  /// Where to add the gradient of a parameter: null where the model is frozen.
  double* gradient(std::size_t offset);

  TrainingSetup setup_;
  ModelLayout layout_;
  LoraLayout lora_;
  Values parameters_, adapters_;
  std::vector<int> tokens_, targets_;
  std::vector<Values> inputs_;  // layers + 1 times (rows,H)
  std::vector<Layer> layers_;
  Values normed_, logits_;  // (rows,H), (rows,V)
  Values gradients_;        // of the parameters, or of the adapters
};

}  // namespace perf::workloads

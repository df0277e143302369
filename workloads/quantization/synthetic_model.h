#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/quantization/tensor_source.h"

namespace perf::workloads {

/// The weight matrices of a decoder: an embedding (vocabulary,H), in every layer four (H,H) of the
/// attention, then the MLP's: up (I,H) and down (H,I) as GPT-2 has them; with `gated` a gate (I,H)
/// as well, as LLaMA has it (Shazeer, "GLU Variants Improve Transformer", arXiv:2002.05202). The
/// matrix that makes logits is the embedding again, or an output (vocabulary,H) of its own.
struct SyntheticShape {
  int layers = 12, hidden = 768, intermediate = 3072, vocabulary = 20000;
  bool gated = false, own_output = false;

  /// In the order of a forward pass, under the names that checkpoints of the LLaMA kind use.
  std::vector<Tensor> tensors() const;
  std::size_t parameters() const;
};

/// "30m", "100m", "600m", "7b".
const std::vector<std::string>& synthetic_model_names();
/// Throws std::invalid_argument for another name.
SyntheticShape synthetic_shape(const std::string& name);

/// Nearly normal weights: each a pure function of seed, tensor and position.
class SyntheticTensors : public TensorSource {
 public:
  static constexpr float kDeviation = 0.02F;  ///< as GPT-2 initializes

  SyntheticTensors(const SyntheticShape& shape, std::uint64_t seed)
      : tensors_(shape.tensors()), seed_(seed) {}

  const std::vector<Tensor>& tensors() const override { return tensors_; }
  /// By all threads.
  void read(std::size_t tensor, std::size_t first, std::size_t count, float* values) const override;

 private:
  std::vector<Tensor> tensors_;
  std::uint64_t seed_;
};

}  // namespace perf::workloads

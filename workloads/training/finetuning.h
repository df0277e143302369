#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/model/parameter_source.h"
#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// A model and one batch of tokens, trained step by step. Which storage type it has is decided
/// when it is made; everything that leaves it is float.
class Finetuning {
 public:
  /// Weights, adapters, tokens and targets depend on `seed` alone; weights are those of `weights`
  /// where that is given, of the setup's shape. Made over a counting Ledger it takes its memory
  /// there and can do nothing else. Throws std::invalid_argument for a setup that contradicts
  /// itself, and what the source throws.
  static std::unique_ptr<Finetuning> make(const TrainingSetup& setup, std::uint64_t seed,
                                          Ledger& memory, const ParameterSource* weights = nullptr);
  virtual ~Finetuning() = default;

  virtual void forward() = 0;   ///< up to the last layer's output
  virtual double loss() = 0;    ///< logits, mean cross-entropy (nats a token) and their gradients
  virtual void backward() = 0;  ///< the layers' gradients, downwards
  virtual void update() = 0;    ///< the optimizer's step

  /// Floating-point operations of one step's matrix products, attention's causal half included;
  /// what checkpointing computes again is not counted (it is no progress).
  virtual double operations() const = 0;

  virtual const TrainingSetup& setup() const = 0;
  virtual const std::vector<int>& tokens() const = 0;   ///< (batch,length)
  virtual const std::vector<int>& targets() const = 0;  ///< (batch,length)

  // For checks and for export, copied and widened.
  /// `count` of them from `offset` on, as ModelLayout has them.
  virtual std::vector<float> parameters(std::size_t offset, std::size_t count) const = 0;
  std::vector<float> parameters() const {  ///< all
    return parameters(0, setup().shape.parameters());
  }
  virtual std::vector<float> adapters() const = 0;  ///< as LoraLayout has them
  /// Of the trained ones, unscaled: `count` from `offset` on, as trained_tensors() has them.
  virtual std::vector<float> gradients(std::size_t offset, std::size_t count) const = 0;
  std::vector<float> gradients() const {  ///< all
    return gradients(0, setup().trained_parameters());
  }
  virtual std::vector<float> layer_input(
      int layer) const = 0;                                ///< (rows,H); `layers`: the last output
  virtual std::vector<float> logits(std::size_t row) = 0;  ///< (V) of one row after forward()
  /// Parameters, or adapters, from `offset` on.
  virtual void set_trained(std::size_t offset, const std::vector<float>& values) = 0;
  void set_trained(const std::vector<float>& values) {  ///< all
    if (values.size() != setup().trained_parameters()) {
      throw std::invalid_argument("as many values as are trained are needed");
    }
    set_trained(0, values);
  }
};

}  // namespace perf::workloads

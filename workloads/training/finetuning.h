#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/gemm.h"
#include "workloads/kernels/ledger.h"
#include "workloads/kernels/optimizer.h"
#include "workloads/model/model_shape.h"

namespace perf::workloads {

/// The linear maps of a layer that an adapter can stand beside.
enum class Projection { q, k, v, o, gate, up, down };
inline constexpr int kProjections = 7;

/// Low-rank adaptation (Hu et al., arXiv:2106.09685): y = W x + (alpha / rank) B (A x) with the
/// model frozen; A (rank,inputs) random, B (outputs,rank) zero at first. rank 0: none, the whole
/// model is trained.
struct LoraOptions {
  int rank = 0;
  double alpha = 16;
  std::vector<Projection> targets = {Projection::q, Projection::v};
  std::vector<bool> layers = {};  ///< one a layer; empty: all
};

/// Everything that decides what a step computes and what memory it takes.
struct TrainingSetup {
  ModelShape shape;
  int batch = 1, length = 512;
  DType dtype = DType::fp32;        ///< weights, gradients, activations
  DType state_dtype = DType::fp32;  ///< optimizer states
  Backend backend = Backend::openblas;
  bool checkpointing = false;   ///< keep each layer's input only, and compute the rest again
  bool gradients_only = false;  ///< no optimizer: training/gradient
  OptimizerOptions optimizer = {};
  LoraOptions lora = {};
  double loss_scale = 1;  ///< gradients are that much larger until the optimizer; for fp16

  std::size_t rows() const {
    return static_cast<std::size_t>(batch) * static_cast<std::size_t>(length);
  }
};

/// Where each adapter lies in one array of all adapter parameters: layer by layer, target by target
/// in the order of Projection, A before B.
struct LoraLayout {
  struct Adapter {
    int layer = 0;
    Projection target = Projection::q;
    std::size_t inputs = 0, outputs = 0, a = 0,
                b = 0;  ///< offsets of A (rank,inputs), B (outputs,rank)
  };
  std::vector<Adapter> adapters;
  std::size_t parameters = 0;

  /// Throws std::invalid_argument where there is a rank but no layer or target, or where the layers
  /// are not one a layer.
  LoraLayout(const ModelShape& shape, const LoraOptions& options);

  /// Null where there is none.
  const Adapter* find(int layer, Projection target) const;
};

/// A model and one batch of tokens, trained step by step. Which storage type it has is decided
/// when it is made; everything that leaves it is float.
class Finetuning {
 public:
  /// Weights, adapters, tokens and targets depend on `seed` alone. Made over a counting Ledger it
  /// takes its memory there and can do nothing else. Throws std::invalid_argument for a setup that
  /// contradicts itself.
  static std::unique_ptr<Finetuning> make(const TrainingSetup& setup, std::uint64_t seed,
                                          Ledger& memory);
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
  virtual std::vector<float> adapters() const = 0;   ///< as LoraLayout has them
  virtual std::vector<float> gradients() const = 0;  ///< of the trained ones, unscaled
  virtual std::vector<float> layer_input(
      int layer) const = 0;                                ///< (rows,H); `layers`: the last output
  virtual std::vector<float> logits(std::size_t row) = 0;  ///< (V) of one row after forward()
  virtual void set_trained(const std::vector<float>& values) = 0;  ///< parameters, or adapters
};

}  // namespace perf::workloads

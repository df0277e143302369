#pragma once

#include <cstddef>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/gemm.h"
#include "workloads/kernels/optimizer.h"
#include "workloads/kernels/qkv_rows.h"
#include "workloads/model/model_shape.h"
#include "workloads/training/lora.h"

namespace perf::workloads {

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
  int loss_rows = 512;    ///< rows whose logits exist at one time

  std::size_t rows() const {
    return static_cast<std::size_t>(batch) * static_cast<std::size_t>(length);
  }
  /// Whether the whole model is trained, rather than adapters beside a frozen one.
  bool trains_all() const { return lora.rank == 0; }
  /// How many values are: as many have gradients, and states of the optimizer.
  std::size_t trained_parameters() const;
};

/// The rows of a setup as the kernels of attention see them.
QkvRows qkv_rows(const TrainingSetup& setup);

}  // namespace perf::workloads

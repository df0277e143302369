#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// What a layer computes on its way up. What its way back reads is its own; the rest may be one
/// array for all layers. N rows; widths as ModelShape names them.
template <class T>
struct LayerActivations {
  T* normed1 = nullptr;                ///< (N,H) the input, normed
  T* qkv = nullptr;                    ///< (N,qkv_width) with bias, rotated
  T* attention = nullptr;              ///< (N,query_width)
  T* middle = nullptr;                 ///< (N,H) the input plus attention's part
  T* normed2 = nullptr;                ///< (N,H) middle, normed
  T* gate_up = nullptr;                ///< (N,2I), on the way back replaced by its gradient
  T* act = nullptr;                    ///< (N,I)
  float* inverse_rms1 = nullptr;       ///< (N)
  float* inverse_rms2 = nullptr;       ///< (N)
  float* log_sums = nullptr;           ///< (heads,N)
  std::array<T*, kProjections> low{};  ///< (N,rank) where there is an adapter
};

/// Gradients on their way down, one set for all layers.
template <class T>
struct LayerGradients {
  T* stream = nullptr;            ///< (N,H) of the residual stream
  T* normed = nullptr;            ///< (N,H) of what came out of a norm
  T* qkv = nullptr;               ///< (N,qkv_width)
  T* attention = nullptr;         ///< (N,query_width)
  T* act = nullptr;               ///< (N,I)
  float* partial_sums = nullptr;  ///< (kRmsNormParts,H)
};

/// The memory of a training run by what it is for, but for the scratch that kernels take
/// themselves. All pointers are null where `memory` only counts.
template <class T>
struct TrainingMemory {
  TrainingMemory(const TrainingSetup& setup, Ledger& memory);

  T *parameters, *adapters;
  T* gradients;  ///< of what is trained
  T* trained;    ///< the adapters, or else all parameters
  std::size_t trained_count;
  void *first, *second;    ///< the optimizer's states, of type setup.state_dtype; null: it has none
  std::vector<T*> inputs;  ///< (N,H) of each layer; at last the last one's output
  std::vector<LayerActivations<T>> layers;
  T* last_normed;           ///< (N,H)
  float* last_inverse_rms;  ///< (N)
  T* logits;                ///< (min(N, loss_rows),V)
  LayerGradients<T> grad;
  float *cosines, *sines;  ///< (length,head_size/2)
};

}  // namespace perf::workloads

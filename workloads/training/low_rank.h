#pragma once

#include <cstddef>

#include "workloads/kernels/products.h"
#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// The products of one adapter at a time, beside the frozen matrix's own: N rows, rank r,
///     low (N,r) = alpha/r in (N,inputs) A^T,   out (N,outputs) += low B^T
/// The factor alpha/r goes into the small array, so that it costs nothing.
template <class T>
class LowRank {
 public:
  /// gradients: laid out as the adapters are. Both may be null where `memory` only counts.
  LowRank(const TrainingSetup& setup, Products<T>& products, const T* adapters, T* gradients,
          Ledger& memory);

  /// low alone, which the way back reads.
  void shrink(const LoraLayout::Adapter& adapter, const T* in, T* low);
  /// Adds to `out`, whose rows are `stride` values apart. Leaves low.
  void forward(const LoraLayout::Adapter& adapter, const T* in, T* low, T* out, std::size_t stride);

  /// Writes the gradients of A and B, and adds to grad_in (N,inputs) unless that is null.
  /// grad_out: as `out` of forward.
  void backward(const LoraLayout::Adapter& adapter, const T* in, const T* low, const T* grad_out,
                std::size_t stride, T* grad_in);

 private:
  void scale(T* low) const;

  Products<T>& products_;
  const T* adapters_;
  T* gradients_;
  T* grad_low_;  // (N,r)
  std::size_t rows_, rank_;
  float factor_;
};

}  // namespace perf::workloads

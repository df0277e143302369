#pragma once

#include <cstddef>

#include "workloads/kernels/gemm.h"

namespace perf::workloads {

/// Products of 16-bit values by a library that multiplies only floats: block by block widened into
/// scratch memory of a fixed size, so that a model in 16 bits takes the memory of 16 bits. The sum
/// over k stays in single precision until it is whole, and is rounded once.
class WidenedProducts {
 public:
  /// 8 MiB. Large enough that widening, which is done anew for each product of two blocks, costs
  /// little beside the product.
  static constexpr int kRows = 512, kColumns = 1024, kDepth = 1024;
  static constexpr std::size_t kScratch =
      std::size_t{kRows} * kDepth + std::size_t{kDepth} * kColumns + std::size_t{kRows} * kColumns;

  /// `scratch`: kScratch floats.
  WidenedProducts(Backend backend, float* scratch);

  /// C (m,n) = A (m,k) B (k,n) + beta C. T: Bf16, Fp16.
  template <class T>
  void multiply(const Gemm& shape, const T* a, const T* b, T* c) const;

 private:
  Backend backend_;
  float *a_, *b_, *c_;  // one block each
};

}  // namespace perf::workloads

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "workloads/kernels/dtype.h"

namespace perf::workloads {

/// What the machine gives for a square product: the yardstick of compute-bound workloads, taken in
/// the same process, because a shared machine's rate changes from minute to minute. It is the same
/// whatever the workload's backend, so that backends can be compared by their share: OpenBLAS for
/// fp32; for 16 bits the best that is built in, oneDNN or else OpenBLAS over widened blocks.
class GemmRate {
 public:
  /// Allocates and fills three (size,size) matrices of `dtype`; 0 measures nothing.
  explicit GemmRate(int size, DType dtype = DType::fp32);
  ~GemmRate();

  /// Multiplies `times` times (after one untimed product on the first call) and keeps the times.
  /// 0 times is the untimed product alone.
  void measure(int times);

  /// Fills the result with NaN, for the next product to replace.
  void spoil_result();

  /// Operations a second by the fastest time, 0 if nothing was measured: what the machine can give.
  /// A disturbed run then shows a share that is too low, never one that is too good.
  double rate() const;

  /// Operations of one product.
  double operations() const;

  /// Of the last product, by product_error(); 0 if nothing was multiplied.
  double error() const;

  /// What it holds all the while.
  std::size_t bytes() const;

 private:
  struct Product;  // of three matrices
  template <class T>
  struct TypedProduct;

  int size_;
  std::unique_ptr<Product> product_;
  bool warm_ = false;  // has multiplied
  std::vector<double> seconds_;
};

}  // namespace perf::workloads

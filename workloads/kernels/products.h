#pragma once

#include <memory>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/gemm.h"
#include "workloads/kernels/ledger.h"

namespace perf::workloads {

/// Whether values of this 16-bit type are multiplied as they are, not widened first: here and now,
/// as it depends on the CPU. False for fp32.
bool multiplies_unwidened(Backend backend, DType dtype);

/// Matrix products over one storage type: operands and results in T, products and sums in single
/// precision, rounded once into the result. Float is gemm()'s. 16-bit types are
///     reference       plain loops
///     onednn, Bf16    multiplied as they are where onednn_multiplies_bf16()
///     all the rest    widened, block by block, for libraries that know only float
/// A step allocates nothing once each of its shapes has been seen (oneDNN: but for a few small
/// nodes of its own argument lists).
template <class T>
class Products {
 public:
  /// Scratch memory comes from `memory`, as workspace. A Products made over a counting Ledger
  /// cannot multiply. The number of OpenMP threads is settled before.
  Products(Backend backend, Ledger& memory);
  ~Products();
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;

  /// C (m,n) = A (m,k) * B (k,n) + beta * C as Gemm says; beta is 0 or 1.
  void multiply(const Gemm& shape, const T* a, const T* b, T* c);

  /// How many floats of scratch memory it takes: none for float and for the reference; 8 MiB, and
  /// with oneDNN for Bf16 at least kOnednnScratch for each thread.
  static std::size_t scratch_floats(Backend backend, int threads);
  /// 2 MiB: what oneDNN 2.6 wants for matrices of 16384 x 8192; for widths to 5000, 0.35 MiB.
  static constexpr std::size_t kOnednnScratch = std::size_t{1} << 19;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perf::workloads

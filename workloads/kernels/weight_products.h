#pragma once

#include <cstddef>
#include <memory>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/gemm.h"
#include "workloads/kernels/ledger.h"
#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

/// Who multiplies many rows with weights of this type best, of what is built in, on this CPU: for
/// `auto`.
Backend best_backend(WeightType type);

/// In which type this backend multiplies many rows with such weights, here and now: Bf16 where
/// onednn_multiplies_bf16() and the weights are no more precise; else float. Fp16, which has
/// more precision than Bf16, is widened to float.
DType product_type(Backend backend, WeightType type);

/// Products of any number of rows with stored weights: up to kFewRows by multiply_few_rows(). More
/// by a library's GEMM where the weights are stored in the type that is multiplied, or where that
/// is Bf16: then they are unpacked into it block by block, and the rows are rounded to it, once a
/// call. All others by multiply_many_rows(). The reference: plain loops, over blocks unpacked to
/// floats. Sums in single precision (the reference's in double). A call allocates nothing once its
/// shape has been seen; oneDNN a few small nodes.
class WeightProducts {
 public:
  /// Scratch memory comes from `memory` as workspace: for at most `rows` rows and matrices of at
  /// most `columns` columns, `outputs` rows and `values` values (0: columns times outputs). Over a
  /// counting Ledger it cannot multiply. The number of OpenMP threads is settled before.
  /// `block_bytes`: a block, at most; 0: 4 MiB, with oneDNN 32.
  WeightProducts(Backend backend, WeightType type, std::size_t rows, std::size_t columns,
                 std::size_t outputs, Ledger& memory, std::size_t values = 0,
                 std::size_t block_bytes = 0);
  ~WeightProducts();
  WeightProducts(const WeightProducts&) = delete;
  WeightProducts& operator=(const WeightProducts&) = delete;

  /// out (rows,W.rows) = in (rows,W.columns) W^T + beta out; beta 0 or 1. Of more than kFewRows
  /// rows it throws std::logic_error for weights of another type, or anything larger, than it was
  /// made for.
  void multiply(const WeightMatrix& weights, const float* in, std::size_t rows, float beta,
                float* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perf::workloads

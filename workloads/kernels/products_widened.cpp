#include "workloads/kernels/products_widened.h"

#include <algorithm>

#include "workloads/kernels/dtype.h"

namespace perf::workloads {

namespace {

// Some rows and columns of a matrix whose rows are `stride` values apart.
template <class T>
struct WideBlock {
  T* first;
  std::ptrdiff_t stride;
  int rows, columns;
};

template <class T>
WideBlock<T> block_of(T* matrix, int stride, int row, int column, int rows, int columns) {
  return {matrix + static_cast<std::ptrdiff_t>(row) * stride + column, stride, rows, columns};
}

// Into dense rows.
template <class T>
void widen_block(const WideBlock<T>& from, float* to) {
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < from.rows; ++i) {
    widen(from.first + i * from.stride, static_cast<std::size_t>(from.columns),
          to + i * from.columns);
  }
}

template <class T>
void narrow_block(const float* from, const WideBlock<T>& to) {
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < to.rows; ++i) {
    narrow(from + i * to.columns, static_cast<std::size_t>(to.columns), to.first + i * to.stride);
  }
}

}  // namespace

WidenedProducts::WidenedProducts(Backend backend, float* scratch)
    : backend_(backend),
      a_(scratch),
      b_(a_ + std::size_t{kRows} * kDepth),
      c_(b_ + std::size_t{kDepth} * kColumns) {}

template <class T>
void WidenedProducts::multiply(const Gemm& shape, const T* a, const T* b, T* c) const {
  for (int i = 0; i < shape.m; i += kRows) {
    for (int j = 0; j < shape.n; j += kColumns) {
      Gemm part{.m = std::min(kRows, shape.m - i),
                .n = std::min(kColumns, shape.n - j),
                .transpose_a = shape.transpose_a,
                .transpose_b = shape.transpose_b,
                .beta = shape.beta};
      const WideBlock<T> result = block_of(c, shape.row_c(), i, j, part.m, part.n);
      if (shape.beta != 0) {
        widen_block(result, c_);
      }
      for (int l = 0; l < shape.k; l += kDepth) {
        part.k = std::min(kDepth, shape.k - l);
        widen_block(shape.transpose_a ? block_of(a, shape.row_a(), l, i, part.k, part.m)
                                      : block_of(a, shape.row_a(), i, l, part.m, part.k),
                    a_);
        widen_block(shape.transpose_b ? block_of(b, shape.row_b(), j, l, part.n, part.k)
                                      : block_of(b, shape.row_b(), l, j, part.k, part.n),
                    b_);
        gemm(backend_, part, a_, b_, c_);
        part.beta = 1;
      }
      narrow_block(c_, result);
    }
  }
}

template void WidenedProducts::multiply(const Gemm&, const Bf16*, const Bf16*, Bf16*) const;
template void WidenedProducts::multiply(const Gemm&, const Fp16*, const Fp16*, Fp16*) const;

}  // namespace perf::workloads

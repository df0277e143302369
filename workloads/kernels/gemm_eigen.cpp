// The one file that includes Eigen: its templates are the slow part of the build, and their
// instantiations must all be compiled with the same instruction set.
#include <Eigen/Core>

#include "workloads/kernels/gemm.h"

namespace perf::workloads {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::OuterStride<>;
using Input = Eigen::Map<const Matrix, Eigen::Unaligned, Rows>;
using Output = Eigen::Map<Matrix, Eigen::Unaligned, Rows>;

template <class Left, class Right>
void multiply(float beta, const Left& left, const Right& right, Output out) {
  if (beta != 0 && beta != 1) {
    out *= beta;
  }
  if (beta == 0) {
    out.noalias() = left * right;
  } else {
    out.noalias() += left * right;
  }
}

}  // namespace

void gemm_eigen(const Gemm& shape, const float* a, const float* b, float* c) {
  const int m = shape.m, n = shape.n, k = shape.k;
  const Input left(a, shape.transpose_a ? k : m, shape.transpose_a ? m : k, Rows(shape.row_a()));
  const Input right(b, shape.transpose_b ? n : k, shape.transpose_b ? k : n, Rows(shape.row_b()));
  const Output out(c, m, n, Rows(shape.row_c()));
  if (shape.transpose_a && shape.transpose_b) {
    multiply(shape.beta, left.transpose(), right.transpose(), out);
  } else if (shape.transpose_a) {
    multiply(shape.beta, left.transpose(), right, out);
  } else if (shape.transpose_b) {
    multiply(shape.beta, left, right.transpose(), out);
  } else {
    multiply(shape.beta, left, right, out);
  }
}

std::string eigen_version() {
  return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

}  // namespace perf::workloads

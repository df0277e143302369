// The one file that includes Eigen: its templates are the slow part of the build, and their
// instantiations must all be compiled with the same instruction set.
#include <Eigen/Core>

#include "workloads/kernels/gemm.h"

namespace perf::workloads {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Left, class Right>
void multiply(float beta, const Left& left, const Right& right, Eigen::Map<Matrix> out) {
  if (beta != 0 && beta != 1)
    out *= beta;
  if (beta == 0)
    out.noalias() = left * right;
  else
    out.noalias() += left * right;
}

}  // namespace

void gemm_eigen(const Gemm& shape, const float* a, const float* b, float* c) {
  using Input = Eigen::Map<const Matrix>;
  const auto [m, n, k, transpose_a, transpose_b, beta] = shape;
  const Input left(a, transpose_a ? k : m, transpose_a ? m : k);
  const Input right(b, transpose_b ? n : k, transpose_b ? k : n);
  const Eigen::Map<Matrix> out(c, m, n);
  if (transpose_a && transpose_b)
    multiply(beta, left.transpose(), right.transpose(), out);
  else if (transpose_a)
    multiply(beta, left.transpose(), right, out);
  else if (transpose_b)
    multiply(beta, left, right.transpose(), out);
  else
    multiply(beta, left, right, out);
}

std::string eigen_version() {
  return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

}  // namespace perf::workloads

#include "workloads/reference/linear.h"

namespace perf::workloads::reference {

namespace {

// Waking the other threads costs some ten microseconds, as much as so many products.
bool worth_sharing(const Matrix& matrix, std::size_t rows) {
  constexpr std::size_t kProducts = 20'000;
  return rows * matrix.inputs * matrix.outputs > kProducts;
}

}  // namespace

void multiply(const Matrix& matrix, double scale, const double* in, std::size_t rows, double* out) {
#pragma omp parallel for if (worth_sharing(matrix, rows))
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t o = 0; o < matrix.outputs; ++o) {
      double sum = 0;
      for (std::size_t i = 0; i < matrix.inputs; ++i) {
        sum += matrix.weights[o * matrix.inputs + i] * in[row * matrix.inputs + i];
      }
      out[row * matrix.row_width + matrix.column + o] += scale * sum;
    }
  }
}

void multiply_back(const Matrix& matrix, double scale, const double* grad_out, std::size_t rows,
                   double* grad_in) {
#pragma omp parallel for if (worth_sharing(matrix, rows))
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t o = 0; o < matrix.outputs; ++o) {
      const double grad = scale * grad_out[row * matrix.row_width + matrix.column + o];
      for (std::size_t i = 0; i < matrix.inputs; ++i) {
        grad_in[row * matrix.inputs + i] += matrix.weights[o * matrix.inputs + i] * grad;
      }
    }
  }
}

void add_weight_gradient(const Matrix& matrix, double scale, const double* in,
                         const double* grad_out, std::size_t rows, double* grad_weights) {
#pragma omp parallel for if (worth_sharing(matrix, rows))
  for (std::size_t o = 0; o < matrix.outputs; ++o) {
    for (std::size_t row = 0; row < rows; ++row) {
      const double grad = scale * grad_out[row * matrix.row_width + matrix.column + o];
      for (std::size_t i = 0; i < matrix.inputs; ++i) {
        grad_weights[o * matrix.inputs + i] += grad * in[row * matrix.inputs + i];
      }
    }
  }
}

}  // namespace perf::workloads::reference

#pragma once

#include <cstddef>

/// Linear maps in double precision and plain loops, with their ways back.
namespace perf::workloads::reference {

/// W (outputs,inputs), from rows of inputs to the columns `column` .. `column + outputs` of rows
/// that are `row_width` wide: q, k and v share rows, and so do gate and up.
struct Matrix {
  const double* weights = nullptr;
  std::size_t inputs = 0, outputs = 0;
  std::size_t column = 0, row_width = 0;
};

/// out += scale W in
void multiply(const Matrix& matrix, double scale, const double* in, std::size_t rows, double* out);

/// grad_in += scale W^T grad_out
void multiply_back(const Matrix& matrix, double scale, const double* grad_out, std::size_t rows,
                   double* grad_in);

/// grad_weights (outputs,inputs) += scale grad_out^T in
void add_weight_gradient(const Matrix& matrix, double scale, const double* in,
                         const double* grad_out, std::size_t rows, double* grad_weights);

}  // namespace perf::workloads::reference

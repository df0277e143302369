#pragma once

#include <cstddef>

namespace perf::workloads {

/// out (rows,columns) = in (rows,columns) + bias (columns): the residual branch and the bias, laid
/// down before a GEMM adds its product.
void add_bias(const float* in, const float* bias, float* out, std::size_t rows,
              std::size_t columns);
void add_bias_reference(const float* in, const float* bias, float* out, std::size_t rows,
                        std::size_t columns);

/// sums (columns) = column sums of in (rows,columns): the gradient of a bias.
void column_sums(const float* in, float* sums, std::size_t rows, std::size_t columns);
void column_sums_reference(const float* in, float* sums, std::size_t rows, std::size_t columns);

/// Mean of (out - target)^2 / 2 over `count` values; grad = its gradient with respect to out.
double squared_error(const float* out, const float* target, float* grad, std::size_t count);
double squared_error_reference(const float* out, const float* target, float* grad,
                               std::size_t count);

}  // namespace perf::workloads

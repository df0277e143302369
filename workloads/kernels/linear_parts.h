#pragma once

#include <cstddef>

namespace perf::workloads {

// What lies between the products of a stack of MLPs. T: float, Bf16, Fp16; sums in single
// precision, rounded once into T.

/// out (rows,columns) = in (rows,columns) + bias (columns): the residual branch and the bias, laid
/// down before a GEMM adds its product.
template <class T>
void add_bias(const T* in, const T* bias, T* out, std::size_t rows, std::size_t columns);
template <class T>
void add_bias_reference(const T* in, const T* bias, T* out, std::size_t rows, std::size_t columns);

/// sums (columns) = column sums of in (rows,columns): the gradient of a bias.
template <class T>
void column_sums(const T* in, T* sums, std::size_t rows, std::size_t columns);
template <class T>
void column_sums_reference(const T* in, T* sums, std::size_t rows, std::size_t columns);

/// Mean of (out - target)^2 / 2 over `count` values; grad = `scale` times its gradient with respect
/// to out.
template <class T>
double squared_error(const T* out, const T* target, double scale, T* grad, std::size_t count);
template <class T>
double squared_error_reference(const T* out, const T* target, double scale, T* grad,
                               std::size_t count);

}  // namespace perf::workloads

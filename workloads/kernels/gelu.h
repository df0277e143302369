#pragma once

#include <cstddef>

namespace perf::workloads {

/// GELU as GPT-2 computes it (Hendrycks and Gimpel, arXiv:1606.08415, the tanh form):
///     gelu(x) = x/2 (1 + tanh(u)) = x sigmoid(2u),   u = sqrt(2/pi) (x + 0.044715 x^3)
double gelu(double x);
double gelu_slope(double x);

/// Linear's bias and the activation in one pass over memory:
/// pre (rows,columns) += bias (columns); act (rows,columns) = gelu(pre). T: float, Bf16, Fp16.
template <class T>
void bias_gelu(T* pre, const T* bias, T* act, std::size_t rows, std::size_t columns);
template <class T>
void bias_gelu_reference(T* pre, const T* bias, T* act, std::size_t rows, std::size_t columns);

/// Backward of the same in one pass:
/// grad (rows,columns) *= gelu'(pre); grad_bias (columns) = column sums of the new grad.
template <class T>
void bias_gelu_backward(const T* pre, T* grad, T* grad_bias, std::size_t rows, std::size_t columns);
template <class T>
void bias_gelu_backward_reference(const T* pre, T* grad, T* grad_bias, std::size_t rows,
                                  std::size_t columns);

}  // namespace perf::workloads

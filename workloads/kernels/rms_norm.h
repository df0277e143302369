#pragma once

#include <cstddef>

namespace perf::workloads {

/// RMSNorm (Zhang and Sennrich, arXiv:1910.07467) over any storage type T, in single precision:
///     out (rows,columns) = in * r * gain (columns),   r = 1 / sqrt(mean(in^2) + epsilon) per row
/// r is kept in inverse_rms (rows) for the way back.
template <class T>
void rms_norm_forward(const T* in, const T* gain, T* out, float* inverse_rms, std::size_t rows,
                      std::size_t columns, double epsilon);

/// Into how many parts the rows are cut for the gain's sums: fixed, so that the sums do not depend
/// on the number of threads.
inline constexpr std::size_t kRmsNormParts = 64;

/// Adds the gradient with respect to `in` to grad_in (rows,columns), which holds the gradient of
/// the residual branch already, and writes the gain's to grad_gain (columns) unless that is null:
///     grad_in += r (gain grad_out - x_hat mean(gain grad_out x_hat)),   x_hat = in * r
///     grad_gain = the sum over rows of grad_out x_hat
/// partial_sums: workspace of kRmsNormParts * columns floats, used only for grad_gain.
template <class T>
void rms_norm_backward(const T* in, const T* gain, const float* inverse_rms, const T* grad_out,
                       T* grad_in, T* grad_gain, float* partial_sums, std::size_t rows,
                       std::size_t columns);

}  // namespace perf::workloads

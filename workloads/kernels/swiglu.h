#pragma once

#include <cstddef>

namespace perf::workloads {

/// SwiGLU (Shazeer, arXiv:2002.05202) over any storage type:
///     out (rows,inner) = silu(gate) * up,   silu(x) = x sigmoid(x)
/// where gate_up (rows,2*inner) holds gate beside up in a row.
template <class T>
void swiglu_forward(const T* gate_up, T* out, std::size_t rows, std::size_t inner);

/// Replaces gate_up by its gradient, from grad_out (rows,inner).
template <class T>
void swiglu_backward(T* gate_up, const T* grad_out, std::size_t rows, std::size_t inner);

}  // namespace perf::workloads

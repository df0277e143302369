#pragma once

#include <cstddef>

namespace perf::workloads {

/// out (rows,columns) = in / sqrt(mean(in^2) + 1e-6) * gain (columns), row by row: RMSNorm (Zhang
/// and Sennrich, arXiv:1910.07467).
void rms_norm(const float* in, const float* gain, float* out, std::size_t rows,
              std::size_t columns);
inline constexpr double kRmsEpsilon = 1e-6;

/// cosines, sines (positions,size/2) of position * theta^(-2i/size), theta = 10000.
void rope_table(float* cosines, float* sines, std::size_t positions, std::size_t size);

/// Rotates one head in place: the pair (i, i + size/2) by its angle (Su et al., arXiv:2104.09864,
/// in the split form of LLaMA checkpoints). cosines, sines: (size/2), the row of the position.
void rope(float* head, const float* cosines, const float* sines, std::size_t size);

/// out (rows,inner) = silu(gate) * up, where gate_up (rows,2*inner) holds gate beside up in a row:
/// SwiGLU (Shazeer, arXiv:2002.05202); silu(x) = x sigmoid(x).
void swiglu(const float* gate_up, float* out, std::size_t rows, std::size_t inner);

}  // namespace perf::workloads

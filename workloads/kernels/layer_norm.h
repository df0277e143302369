#pragma once

#include <cstddef>

namespace perf::workloads {

/// Layer normalization (Ba, Kiros and Hinton, arXiv:1607.06450), row by row:
///     out (rows,columns) = (in - mean) / sqrt(variance + epsilon) * gain (columns) + bias
///     (columns)
/// with the mean and the (biased) variance of the row. in and out may be the same. By all threads.
void layer_norm(const float* in, const float* gain, const float* bias, float* out, std::size_t rows,
                std::size_t columns, double epsilon);
/// Plain loops in double precision.
void layer_norm_reference(const float* in, const float* gain, const float* bias, float* out,
                          std::size_t rows, std::size_t columns, double epsilon);

}  // namespace perf::workloads

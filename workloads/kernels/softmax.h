#pragma once

#include <cstddef>

namespace perf::workloads {

/// Row by row: out (rows,columns) = e^(in - largest) / sum of those. An infinite largest value, or
/// a NaN, makes a row of NaN. in and out may be the same. By all threads; no row is split.
void softmax(const float* in, float* out, std::size_t rows, std::size_t columns);
/// Plain loops in double precision.
void softmax_reference(const float* in, float* out, std::size_t rows, std::size_t columns);

}  // namespace perf::workloads

#pragma once

#include <cstddef>

#include "workloads/kernels/dtype.h"
#include "workloads/quantization/tensor_source.h"

namespace perf::workloads {

/// How many values of the first, the middle and the last row of every matrix a file of this dtype
/// has otherwise than `wanted`, rounded to it, gives them. Both have the same matrices.
std::size_t values_that_differ(const TensorSource& file, const TensorSource& wanted, DType dtype);

}  // namespace perf::workloads

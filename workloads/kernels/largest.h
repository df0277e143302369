#pragma once

#include <cstddef>

namespace perf::workloads {

/// max |values|; `count` is at least 1 and nothing is NaN.
float largest_magnitude(const float* values, std::size_t count);

}  // namespace perf::workloads

#pragma once

#include <cstddef>

namespace perf::workloads {

/// Copies those of values (count) that are in [low,high) to the begin of `kept`, in their order,
/// and returns how many they are. `kept` has room for `count`, and may be `values` itself.
std::size_t keep_between(const float* values, std::size_t count, float low, float high,
                         float* kept);

}  // namespace perf::workloads

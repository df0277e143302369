#pragma once

#include <cstdint>

namespace perf::workloads {

/// The largest seed: perf-compare draws PERF_COMPARE_SEED below 2^32.
inline constexpr std::int64_t kMostSeed = 4'294'967'295;

}  // namespace perf::workloads

#pragma once

#include <cstdint>
#include <vector>

#include "workloads/kernels/random.h"

namespace perf::workloads {

/// Values for tests, uniform in [-bound, bound), the same for the same seed.
inline std::vector<float> random_values(std::size_t count, std::uint32_t seed, float bound = 1) {
  std::vector<float> values(count);
  fill_uniform(values.data(), count, seed, bound);
  return values;
}

}  // namespace perf::workloads

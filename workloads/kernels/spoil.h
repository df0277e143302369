#pragma once

#include <cstddef>

namespace perf::workloads {

/// Sets all bits of what a step is about to write, before it and outside of it: NaN in every
/// floating-point type. What is checked afterwards is then what that step wrote, not what an
/// earlier one left there.
template <class T>
void spoil(T* values, std::size_t count) {
  auto* bytes = reinterpret_cast<unsigned char*>(values);
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count * sizeof(T); ++i) {
    bytes[i] = 0xff;
  }
}

}  // namespace perf::workloads

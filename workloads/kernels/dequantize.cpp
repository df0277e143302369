#include <algorithm>
#include <array>

#include "workloads/kernels/quantization_levels.h"
#include "workloads/kernels/quantization_scale.h"

namespace perf::workloads {

void dequantize(const QuantizedMatrix& from, float* out) {
  const std::size_t group = from.scheme.group == 0 ? from.columns : from.scheme.group;
#pragma omp parallel for schedule(static) if (from.rows > 1)
  for (std::size_t row = 0; row < from.rows; ++row) {
    const std::uint8_t* codes = from.codes + row * from.scheme.code_row_bytes(from.columns);
    const std::byte* scales = from.scales + row * from.scheme.scale_row_bytes(from.columns);
    float* values = out + row * from.columns;
    unpack_levels(from.scheme.type, codes, 0, from.columns, values);
    for (std::size_t begin = 0; begin < from.columns; begin += group) {
      const std::size_t end = std::min(from.columns, begin + group);
      const float scale = scale_at(from.scheme, scales, begin / group);
#pragma omp simd
      for (std::size_t i = begin; i < end; ++i) {
        values[i] *= scale;
      }
    }
  }
}

}  // namespace perf::workloads

#pragma once

#include <cstddef>
#include <vector>

#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

/// A matrix with memory of its own, zeroed: less work than an arena's for the thousands of small
/// ones that tests take.
class PackedWeights {
 public:
  WeightMatrix matrix;

  PackedWeights(WeightType type, std::size_t rows, std::size_t columns)
      : matrix{.type = type, .rows = rows, .columns = columns},
        lines_(matrix.bytes() / sizeof(Line) + 1) {
    matrix.values = lines_[0].bytes;
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64] = {};
  };
  std::vector<Line> lines_;
};

/// values (rows,columns) as the type stores them.
inline PackedWeights packed(WeightType type, const std::vector<float>& values, std::size_t rows,
                            std::size_t columns) {
  PackedWeights result(type, rows, columns);
  pack_rows(values.data(), 0, rows, result.matrix);
  return result;
}

}  // namespace perf::workloads

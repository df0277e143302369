#pragma once

#include <cstddef>

#include "workloads/kernels/tile_product.h"
#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

/// A panel begins at a column that is a multiple of this, and its memory reaches to the next one.
inline constexpr std::size_t kPanelColumns = 128;

/// panel (depth,kBlockColumns) = rows [row, row + kBlockColumns) of the matrix from `column` on,
/// turned and in single precision: as multiply_block() reads its B. What lies past the last row is
/// left as it is. No fp32, of which libraries multiply what is stored; row: a multiple of
/// kBlockColumns. On one thread.
void unpack_panel(const WeightMatrix& from, std::size_t row, std::size_t column, std::size_t depth,
                  float* panel);

}  // namespace perf::workloads

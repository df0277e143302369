#pragma once

#include <cstddef>

namespace perf::workloads {

/// y (rows) = W (rows,columns) x (columns) + beta y, W row-major; beta 0 overwrites y. Reads every
/// weight once, so it runs at memory speed: the whole cost of decoding one token.
void matvec(const float* weights, const float* x, float beta, float* y, std::size_t rows,
            std::size_t columns);
void matvec_reference(const float* weights, const float* x, float beta, float* y, std::size_t rows,
                      std::size_t columns);

}  // namespace perf::workloads

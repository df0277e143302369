#pragma once

// What codes stand for before they are scaled. Only for the sources of kernels.

#include <cstddef>
#include <cstdint>

#include "workloads/kernels/quantize.h"

namespace perf::workloads {

/// levels (count): those of the codes from column `begin` of a row on.
void unpack_levels(CodeType type, const std::uint8_t* codes, std::size_t begin, std::size_t count,
                   float* levels);

}  // namespace perf::workloads

#pragma once

#include <algorithm>
#include <cstddef>

namespace perf::workloads {

/// The widest block: 4 KiB of a row of floats, long enough for the prefetcher, and the sums stay in
/// the first-level cache.
inline constexpr std::size_t kBlockColumns = 1024;

/// Calls block(begin, end) on the threads for column ranges that cover [0, columns). Column sums
/// are taken so: each column has one owner, so that no partial sums are added up afterwards and
/// the result does not depend on the number of threads.
template <class Block>
void for_column_blocks(std::size_t columns, Block block) {
  // Narrow matrices still give every thread a block, in whole cache lines.
  const std::size_t width = std::clamp<std::size_t>(columns / 128 * 16, 16, kBlockColumns);
  const std::size_t blocks = (columns + width - 1) / width;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < blocks; ++i) {
    block(i * width, std::min(columns, (i + 1) * width));
  }
}

}  // namespace perf::workloads

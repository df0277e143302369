#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perf::workloads {

/// In how many places two texts differ; those that only one of them has count.
template <class Token>
std::size_t differing_tokens(const std::vector<Token>& a, const std::vector<Token>& b) {
  const std::size_t both = std::min(a.size(), b.size());
  std::size_t count = std::max(a.size(), b.size()) - both;
  for (std::size_t i = 0; i < both; ++i) {
    count += a[i] != b[i] ? 1 : 0;
  }
  return count;
}

}  // namespace perf::workloads

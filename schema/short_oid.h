#pragma once

#include <cstddef>

namespace perf {

/// Digits of an object id: short enough to copy from one line, long enough to stay unique.
inline constexpr std::size_t kShortOid = 12;

}  // namespace perf

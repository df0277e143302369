#pragma once

#include <cstddef>
#include <string>

namespace perf {

/// Digits of an object id: short enough to copy from one line, long enough to stay unique.
inline constexpr std::size_t kShortOid = 12;

inline std::string short_oid(const std::string& oid) {
  return oid.substr(0, kShortOid);
}

}  // namespace perf

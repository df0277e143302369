#pragma once

#include <string>

namespace perf {

/// One part of a plan, measured by a job of its own.
struct Shard {
  int number = 1;  ///< 1 to count
  int count = 1;

  bool operator==(const Shard&) const = default;
};

/// "2/4".
inline std::string to_text(const Shard& shard) {
  return std::to_string(shard.number) + "/" + std::to_string(shard.count);
}

}  // namespace perf

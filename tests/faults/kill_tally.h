#pragma once

#include <string>

namespace perf::test {

/// Where kills struck, for docs/faults.md.
struct KillTally {
  int before = 0;    ///< nothing had been written
  int journal = 0;   ///< a write was half done: its journal is there
  int after = 0;     ///< something had been committed
  int too_late = 0;  ///< the command had ended: no kill

  int kills() const { return before + journal + after; }
  std::string text() const {
    return std::to_string(kills()) + " kills: " + std::to_string(before) + " before it wrote, " +
           std::to_string(journal) + " with a journal left, " + std::to_string(after) +
           " after a commit";
  }
};

}  // namespace perf::test

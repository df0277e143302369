#pragma once

#include <string>

namespace perf::test {

/// At which stage of the work the kills came.
struct KillTally {
  int before = 0;    ///< nothing was written yet
  int journal = 0;   ///< in the middle of a write: a journal is left
  int after = 0;     ///< after a commit
  int too_late = 0;  ///< the command had ended: not killed

  int kills() const { return before + journal + after; }
  std::string text() const {
    return std::to_string(kills()) + " kills: " + std::to_string(before) + " before it wrote, " +
           std::to_string(journal) + " with a journal left, " + std::to_string(after) +
           " after a commit";
  }
};

}  // namespace perf::test

#pragma once

#include <vector>

#include "schema/sample_set.h"

namespace perf {

/// One session of one series: its place among the sets, and the one value that stands for it.
struct SessionValue {
  const SampleSet* session = nullptr;
  const SampleSeries* series = nullptr;
  double value = 0;  ///< the median of the session's values, base units
};

/// What of two sides may be held against each other.
struct ComparableSessions {
  std::vector<SessionValue> base, head;
  int left_out = 0;          ///< sessions of other machines
  bool one_machine = false;  ///< all of one fingerprint; false: the files do not tell
};

/// The fingerprint that most sessions of both sides share, and its sessions; where none is on both
/// sides, the sessions whose facts of the machine are the same as far as they go. Both sides empty
/// where even those differ: timings of unlike machines are not comparable.
ComparableSessions comparable_sessions(const std::vector<SessionValue>& base,
                                       const std::vector<SessionValue>& head);

}  // namespace perf

#pragma once

#include <string>
#include <vector>

#include "schema/recorded_history.h"

namespace perf {

/// A host whose values differ from those of the others of its kind.
struct OddHost {
  std::string host;
  double change = 0;  ///< of its level against theirs, relative
};

/// Which host measured a value; empty where that is not known.
const std::string& host_of(const std::vector<RecordedRun>& runs, const RecordedValue& value);

/// The hosts of a series that differ from the others under its fingerprint by more than their
/// noise. Compared are neighbours in the order of measuring, so that steps of the program, which
/// both sides of a neighbourhood share but for the one at the step, hardly count. With d the
/// differences of ln between a host's points and the mean of those beside them that others
/// measured, what these others differ by taken off, and at least 12 of them: the host is odd where
/// |median d| is 1 % and more, and beyond 7 of its standard errors, 1.2533 s / sqrt(n) with s =
/// 1.4826 MAD(d). What most points agree on is not odd.
std::vector<OddHost> odd_hosts(const RecordedSeries& series, const std::vector<RecordedRun>& runs);

}  // namespace perf

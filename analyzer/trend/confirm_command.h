#pragma once

#include <string>

#include "schema/trend.h"

namespace perf {

/// Two commits that a finding lies between.
struct Suspected {
  std::string previous_oid, oid;  ///< base and head, in full
  int commits = 1;                ///< of the line after the first up to the second
  double change = 0;              ///< relative, as found
  std::string size;               ///< that was measured
};

/// The threshold at which a comparison tells whether such a change is there: half of it, in whole
/// tenths of a per cent, or the policy's where that is smaller. At the policy's own a change of
/// less would be called unchanged, which refutes nothing.
double confirming_threshold(double change, const TrendSeries& series, const Policy& policy);

/// The command that compares the two commits on the series' workload; empty where the config does
/// not have it, as it has none that was imported.
std::string compare_command(const Suspected& what, const TrendSeries& series, const Policy& policy);

/// The command that tells which commit it was: a comparison where there is but one, and where the
/// workload has several series, which cannot be bisected; else a bisection. Empty as above.
std::string blame_command(const Suspected& what, const TrendSeries& series, const Policy& policy);

}  // namespace perf

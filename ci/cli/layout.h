#pragma once

#include "ci/cli/explain.h"
#include "ci/cli/profiling.h"

namespace perf {

/// Finds the flagged times whose hot code is the same at base and head, builds both sides with
/// layout seeds 1, 2, ... and measures one pair of each, as many as the rows' level wants, then
/// labels those whose change does not survive. What it measures is stored with its seed and never
/// judged. Keeps to `budget`, in seconds, builds included: starts nothing that is expected to
/// outlast it, and ends a build that does. A row that was left open says why. Throws Error.
void label_layout_effects(const Explanation& with, Profiling& profiling, const History& history,
                          double budget, Report& report);

}  // namespace perf

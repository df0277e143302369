#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "ci/cli/run/run.h"
#include "schema/profile.h"
#include "schema/report.h"

namespace perf {

/// Profiles of one run's workloads, each side run once under perf when it is first asked for.
class Profiling {
 public:
  /// The run is built, and outlives it.
  explicit Profiling(const Run& run) : run_(run) {}

  /// Of a workload of the plan; where the side cannot be run, the problem says why.
  const Profile& of(std::size_t workload, Side side);

 private:
  Profile take(std::size_t workload, Side side);

  const Run& run_;
  std::map<std::pair<std::size_t, Side>, Profile> taken_;
};

/// Looks behind each flagged time: with --profile-changes the functions whose share moved, and
/// where the hot code is the same at base and head, whether its layout explains the change
/// (docs/layout.md). Takes what is left of the budget, builds included; adds its measuring to the
/// report's. Verdicts stay as they are: what goes wrong here is a warning of the report.
void explain_changes(const Run& run, Report& report);

/// Finds the flagged times whose hot code is the same at base and head, builds both sides with
/// layout seeds 1, 2, ... and measures one pair of each, as many as the rows' level wants, then
/// labels those whose change does not survive. What it measures is stored with its seed and never
/// judged. Keeps to `budget`, in seconds, builds included: starts nothing that is expected to
/// outlast it, and ends a build that does. A row that was left open says why. Throws Error.
void label_layout_effects(const Run& run, Profiling& profiling, double budget, Report& report);

}  // namespace perf

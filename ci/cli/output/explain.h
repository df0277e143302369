#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "ci/cli/run/run.h"
#include "schema/profile.h"
#include "schema/report.h"

namespace perf {

/// Profiles of a run's workloads; each side runs once under perf, on first use.
class Profiling {
 public:
  /// The run must be built, and outlive it.
  explicit Profiling(const Run& run) : run_(run) {}

  /// The profile of a workload of the plan; if the side cannot run, its `problem` has the reason.
  const Profile& of(std::size_t workload, Side side);

 private:
  Profile take(std::size_t workload, Side side);

  const Run& run_;
  std::map<std::pair<std::size_t, Side>, Profile> taken_;
};

/// Explains each flagged time: with --profile-changes the functions whose share changed, and if the
/// hot code is the same at base and head, whether its layout explains the change (docs/layout.md).
/// Uses the rest of the budget, builds included; adds its measuring time to the report. Verdicts
/// stay unchanged; failures become warnings of the report.
void explain_changes(const Run& run, Report& report);

/// For flagged times with the same hot code at base and head: builds both sides with layout seeds
/// 1, 2, ..., measures one pair of each, as many as the rows' level requires, and labels changes
/// that disappear. Stores the measurements with their seed, unjudged. Stays within `budget` (s),
/// builds included. Undecided rows get a reason. Throws Error.
void label_layout_effects(const Run& run, Profiling& profiling, double budget, Report& report);

}  // namespace perf

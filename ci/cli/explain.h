#pragma once

#include "ci/cli/progress.h"
#include "ci/cli/session.h"
#include "collector/build/plan.h"
#include "schema/history.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// What a comparison needs to look behind its flagged rows, once all verdicts stand. All of it
/// outlives the looking.
struct Explanation {
  Session& session;
  const PlannedRun& run;
  const Policy& policy;
  const Checkouts& checkouts;
  Runner& runner;
  ProgressView& progress;
  double build_seconds = 0;  ///< that preparing both checkouts took: next to nothing where the
                             ///< cache had them
};

/// Looks behind each flagged time: with --profile-changes the functions whose share moved, and
/// where the hot code is the same at base and head, whether its layout explains the change
/// (docs/layout.md). Takes what is left of the budget, builds included; adds its measuring to the
/// report's. Verdicts stay as they are: what goes wrong here is a warning of the report.
void explain_changes(const Explanation& with, const History& history, Report& report);

}  // namespace perf

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ci/cli/options/options.h"
#include "ci/cli/progress.h"
#include "collector/build/plan.h"
#include "collector/checkout.h"
#include "collector/collect.h"
#include "collector/git/repository.h"
#include "collector/process/process.h"
#include "collector/process/spawner.h"
#include "schema/demand.h"
#include "schema/history.h"
#include "schema/plan.h"
#include "schema/store/store.h"

namespace perf {

/// What every command that measures holds: the repository, its store, and the hands to run
/// processes with. The options and the spawner outlive it.
struct Session {
  const Options& options;
  Spawner& spawner;
  RunProcess run_process;
  Repository repository;
  Store store;
};

/// Opens the repository and its store, once the outputs are known to be writable; from now on a
/// signal asks to stop. Throws UsageError and Error.
Session open_session(const Options& options, Spawner& spawner);

/// An environment variable of this process.
std::optional<std::string> environment_variable(const std::string& name);

/// What the options ask to be measured, on this machine.
PlanOptions plan_options(const Session& session);

/// Builds both sides; what cannot be built is said at once, and stands in the plan for the report.
Checkouts build(Session& session, PlannedRun& run, ProgressView& progress);

/// What is still wanted of a history; nothing when it is enough.
using Wanted = std::function<std::optional<Demand>(const History&)>;

/// The heart: as long as something is wanted, measures it; every invocation is stored as it ends.
/// `shown` is called after each demand that was filled; may be empty.
void measure(Session& session, const Plan& plan, const Checkouts& checkouts, Runner& runner,
             ProgressView& progress, const Wanted& wanted, History& history,
             const std::function<void(const History&)>& shown = {});

}  // namespace perf

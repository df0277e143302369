#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/environment_variable.h"
#include "collector/git/repository.h"
#include "collector/plan/plan.h"
#include "collector/process/process.h"
#include "collector/process/spawner.h"
#include "schema/store/store.h"

namespace perf {

/// What every command that measures holds: the repository, its store, and the hands to run
/// processes with. The options and the spawner outlive it.
struct Context {
  const Options& options;
  RunProcess run_process;
  Repository repository;
  Store store;
  std::string said_command{};       ///< the build command that was told last
  std::set<std::string> rebuilt{};  ///< --rebuild: keys of what was built anew
};

/// Opens the repository and its store; from now on a signal asks to stop. Throws UsageError and
/// Error.
Context open_context(const Options& options, Spawner& spawner);

/// Throws UsageError, which says `why`, where --pairs has a minimum as well.
void require_one_number(const Options& options, const char* why);

/// What the options ask to be measured, on this machine.
PlanOptions plan_options(const Context& context);

/// The plan of one revision, that of `options`, against itself.
PlannedRun plan_against_itself(const Context& context, Purpose purpose);

/// Files and folders that a command writes: its reports, the store, the build cache.
std::vector<std::filesystem::path> written_places(const Options& options,
                                                  const Repository& repository);

/// Warns in the plan of what makes memory other than it is elsewhere.
void warn_of_missing_supervisor(Plan& plan);

/// Warns in the plan of workloads of which the store holds another benchmark than the config brings
/// now.
void warn_of_other_benchmark(const Context& context, PlannedRun& planned);

/// The id of this host, kept beside the build cache; a fresh one where there is no place for it.
std::string host_of_this_machine();

}  // namespace perf

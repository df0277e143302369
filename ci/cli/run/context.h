#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/git/repository.h"
#include "collector/plan/plan.h"
#include "collector/process/process.h"
#include "collector/process/spawner.h"
#include "collector/this_process.h"
#include "schema/store/store.h"

namespace perf {

/// The options of a measuring command, its repository and store, and the means to run processes.
/// The options and the spawner outlive it.
struct Context {
  const Options& options;
  RunProcess run_process;
  std::optional<Repository> repository;  ///< absent: commands are compared
  Store store;
  std::string said_command{};       ///< the build command that was printed last
  std::set<std::string> rebuilt{};  ///< keys of the builds that this command has made
  std::string filters{};            ///< BuildTools::filters
};

/// Catches signals, removes what killed runs left, and returns the means to run processes.
RunProcess begin_running(Spawner& spawner);

/// Opens the repository and its store, as begin_running does first. Throws UsageError and Error.
Context open_context(const Options& options, Spawner& spawner);

/// The options of a plan on this machine.
PlanOptions plan_options(const Context& context);

/// The plan of `options.revision` against itself.
PlannedRun plan_against_itself(const Context& context, Purpose purpose);

/// Files and folders that a command writes: its reports, the store, the build cache.
std::vector<std::filesystem::path> written_places(const Options& options,
                                                  const Repository& repository);

/// Adds a warning if the supervisor is missing, which affects peak_rss.
void warn_of_missing_supervisor(Plan& plan);

/// Adds a warning about workloads whose stored results come from another benchmark.
void warn_of_other_benchmark(const Context& context, PlannedRun& planned);

/// The id of this host, kept in the build cache folder; a random one without such a folder.
std::string host_of_this_machine();

}  // namespace perf

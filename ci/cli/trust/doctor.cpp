#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "analyzer/doctor/diagnosis.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/context.h"
#include "ci/cli/run/store_and_config.h"
#include "collector/build/build_cache.h"
#include "collector/git/repository.h"
#include "collector/machine/environment.h"
#include "collector/machine/program_state.h"
#include "collector/plan/config_source.h"
#include "collector/process/process.h"
#include "reporter/render.h"
#include "schema/error.h"
#include "schema/store/store.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr double kWatched = 1;  ///< s: long enough for shares, short enough to wait for

Patience this_clock() {
  return {monotonic_seconds, [](double seconds) {
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
          }};
}

/// Doctor works everywhere: without a repository it reports what it could not check. A repository
/// named by an option must exist.
std::optional<Repository> open_repository(const Options& options, const RunProcess& run_process,
                                          std::string& problem) {
  try {
    return Repository::open(options.repo, run_process);
  } catch (const Error& error) {
    if (options.repo != Options().repo) {
      throw;
    }
    problem = error.what;
    return std::nullopt;
  }
}

/// The facts that workloads reported, head's before base's.
std::map<std::string, std::map<std::string, std::string>> facts_of(
    const Measurements& measurements) {
  std::map<std::string, std::map<std::string, std::string>> facts;
  for (const Side side : {Side::head, Side::base}) {
    for (const Invocation& invocation : measurements.invocations) {
      for (const Block& block : invocation.blocks) {
        if (invocation.side == side && !block.facts.empty()) {
          facts[invocation.workload].insert(block.facts.begin(), block.facts.end());
        }
      }
    }
  }
  return facts;
}

/// The latest run of the store, whose facts go into the state; nullopt if nothing is stored. A
/// store named by an option must exist.
std::optional<ListedRun> read_latest_run(const Options& options,
                                         const std::optional<Repository>& repository,
                                         MachineState& state) {
  state.workload_facts_problem = "no stored run: measure once";
  const std::filesystem::path file =
      repository ? store_path(options, *repository) : std::filesystem::path(options.db);
  std::error_code ignored;
  if (options.db.empty() && !std::filesystem::exists(file, ignored)) {
    return std::nullopt;
  }
  try {
    const Store store(file, Store::Access::read_only);
    const std::vector<ListedRun> runs = store.runs(1);
    if (runs.empty()) {
      return std::nullopt;
    }
    state.workload_facts = facts_of(store.load(runs.front().id));
    state.workload_facts_problem = "not in the latest stored run";
    return runs.front();
  } catch (const Error& error) {
    if (!options.db.empty()) {
      throw;
    }
    state.workload_facts_problem = error.what;
    return std::nullopt;
  }
}

/// The folder of a commit's build for this machine, built or not: by the config of --config, else
/// by the commit's own, else by the config used, as in a plan.
std::filesystem::path built_tree(const Repository& repository, const std::string& oid,
                                 const FoundConfig& used, const Outside& outside,
                                 const MachineState& state) {
  BuildRequest request{oid, used.config.build, state.environment.fingerprint, 0, outside};
  if (!used.named || !used.config.build) {
    const auto own = config_of_revision(repository, repository.commit(oid));
    request.build = own && own->config.build ? own->config.build : used.config.build;
  }
  return build_cache_folder(environment_variable) / build_key(request) / "tree";
}

/// The programs measured last and those of HEAD, if they are built; else those in the working tree.
void read_built_programs(const Options& options, const Repository& repository,
                         const std::optional<FoundConfig>& named,
                         const std::optional<ListedRun>& latest, const ProbeSources& sources,
                         MachineState& state) {
  const std::optional<std::string> head = repository.ref_commit("HEAD");
  std::optional<FoundConfig> found = named ? named : config_of_working_tree(repository);
  if (!found && head) {
    found = config_of_revision(repository, repository.commit(*head));
  }
  if (!found) {
    state.programs_problem = "no config";
    return;
  }
  const Outside outside = outside_of(*found, repository, written_places(options, repository));
  std::vector<std::filesystem::path> trees;
  if (latest && repository.has_commit(latest->head.oid)) {
    trees.push_back(built_tree(repository, latest->head.oid, *found, outside, state));
  }
  if (head) {
    trees.push_back(built_tree(repository, *head, *found, outside, state));
  }
  trees.push_back(repository.workdir());
  std::vector<Workload> workloads = mapped(found->config.workloads, &ConfiguredWorkload::workload);
  state.programs = read_programs(workloads, trees, sources.variable);
}

MachineState read_machine(const Options& options, Spawner& spawner) {
  const RunProcess run_process = make_run_process(spawner);
  const std::optional<FoundConfig> named =
      options.config.empty() ? std::nullopt : std::optional(config_of_file(options.config));
  std::string problem;
  const std::optional<Repository> repository = open_repository(options, run_process, problem);
  const ProbeSources sources = this_machine(run_process);
  MachineState state = read_machine_state(sources, kWatched, this_clock());
  const std::optional<ListedRun> latest = read_latest_run(options, repository, state);
  state.programs_problem = problem;
  if (repository) {
    try {
      read_built_programs(options, *repository, named, latest, sources, state);
    } catch (const Error& error) {  // the config is invalid
      state.programs_problem = error.what + ": " + error.subject;
    }
  }
  return state;
}

}  // namespace

int doctor_command(const Options& options, Spawner& spawner) {
  const MachineState state = read_machine(options, spawner);
  Diagnosis diagnosis;
  stamp(diagnosis);
  diagnosis.environment = state.environment;
  diagnosis.watched = state.activity.seconds;
  diagnosis.causes = diagnose(state);
  const bool any_bad = std::ranges::count(diagnosis.causes, Severity::bad, &Cause::severity) > 0;
  Renderings renderings = page_renderings_of(diagnosis, render_doctor_json);
  renderings.terminal = [&](bool color) {
    return render_terminal(reporter::page_of(diagnosis, options.verbose), color);
  };
  return end_command(renderings, options, options.strict && any_bad ? kUndecided : kFine);
}

}  // namespace perf

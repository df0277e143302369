#include "ci/cli/run/context.h"

#include <utility>

#include "ci/cli/output/output.h"
#include "ci/cli/run/signals.h"
#include "ci/cli/run/store_and_config.h"
#include "collector/build/build_cache.h"
#include "collector/machine/environment.h"
#include "collector/process/temporary_folder.h"
#include "collector/randomness.h"
#include "schema/error.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

Params params_of(const std::string& option, const std::vector<Setting>& settings) {
  Params params;
  for (const Setting& setting : settings) {
    if (!params.emplace(setting.key, param_from_text(setting.values.front())).second) {
      throw UsageError("duplicate parameter", option + " " + setting.key,
                       "pass one value for each side; --vary takes several");
    }
  }
  return params;
}

/// --base-set, --head-set and --vary with values typed like JSON's. Throws UsageError for duplicate
/// keys.
Settings settings_of(const Options& options) {
  Settings settings;
  settings.base = params_of("--base-set", options.base_set);
  settings.head = params_of("--head-set", options.head_set);
  if (options.vary) {
    settings.vary = VariedParam{options.vary->key, mapped(options.vary->values, param_from_text)};
  }
  return settings;
}

}  // namespace

std::string host_of_this_machine() {
  std::filesystem::path cache;
  try {
    cache = build_cache_folder(environment_variable);
  } catch (const Error&) {
    return new_id();
  }
  return host_id(cache);
}

RunProcess begin_running(Spawner& spawner) {
  catch_interruptions();
  spawner.set_interrupted(is_interrupted);
  remove_abandoned_folders();
  return make_run_process(spawner);
}

Context open_context(const Options& options, Spawner& spawner) {
  RunProcess run_process = begin_running(spawner);
  Repository repository = Repository::open(options.repo, run_process);
  Store store(store_path(options, repository));
  return {options, std::move(run_process), std::move(repository), std::move(store)};
}

PlanOptions plan_options(const Context& context) {
  const Options& options = context.options;
  PlanOptions wanted;
  wanted.base = options.base;
  wanted.head = options.head;
  wanted.settings = settings_of(options);
  if (wanted.settings.any() && !options.head_given) {
    // Settings are compared at one revision, unless HEAD is given.
    wanted.head = wanted.base = options.base_given ? options.base : options.head;
  }
  wanted.config_of_base = options.command == "ratchet";
  wanted.policy_of_base =
      wanted.config_of_base || (options.command == "compare" && judges_by_base(options));
  if (!options.config.empty()) {
    wanted.config_file = options.config;
  }
  wanted.size = options.size;
  wanted.seed = options.seed;
  wanted.workload_globs = options.workloads;
  wanted.pins = context.store.pins();
  wanted.variable = environment_variable;
  wanted.environment = probe_environment(this_machine(context.run_process));
  wanted.host = host_of_this_machine();
  wanted.attempt = read_attempt(environment_variable);
  wanted.outputs = written_places(options, *context.repository);
  return wanted;
}

PlannedRun plan_against_itself(const Context& context, Purpose purpose) {
  PlanOptions wanted = plan_options(context);
  wanted.base = wanted.head = context.options.revision;
  PlannedRun run = make_plan(*context.repository, wanted);
  run.plan.purpose = purpose;
  return run;
}

std::vector<std::filesystem::path> written_places(const Options& options,
                                                  const Repository& repository) {
  std::vector<std::filesystem::path> places = output_places(options);
  const std::filesystem::path store = store_path(options, repository);
  places.insert(places.end(), {store, store.string() + "-journal"});
  try {
    places.push_back(build_cache_folder(environment_variable));
  } catch (const Error&) {  // no cache
  }
  return places;
}

void warn_of_missing_supervisor(Plan& plan) {
  if (const std::filesystem::path missing = missing_supervisor(); !missing.empty()) {
    plan.warnings.push_back({WarningKind::no_supervisor, {}, {{"file", missing.string()}}});
  }
}

void warn_of_other_benchmark(const Context& context, PlannedRun& planned) {
  double more = -1;
  Warning warning{WarningKind::other_benchmark};
  for (const PlannedWorkload& one : planned.plan.workloads) {
    if (one.control_of.empty() && context.store.knows_other_benchmark(one.workload)) {
      ++more;
      warning.about.emplace("workload", one.workload.name);
    }
  }
  if (more < 0) {
    return;
  }
  if (more > 0) {
    warning.figures["more"] = more;
  }
  if (const Outside& outside = planned.outside; !outside.digest.empty()) {
    warning.about["folder"] = outside.folder.string();
    if (!outside.latest.empty()) {
      warning.about["latest"] = outside.latest;
    }
  }
  planned.plan.warnings.push_back(std::move(warning));
}

}  // namespace perf

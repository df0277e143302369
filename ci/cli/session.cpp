#include "ci/cli/session.h"

#include <cstdlib>
#include <utility>

#include "ci/cli/interruption.h"
#include "ci/cli/output.h"
#include "ci/cli/settings.h"
#include "ci/cli/store_path.h"
#include "collector/build/build_cache.h"
#include "collector/machine/environment.h"
#include "collector/process/monotonic.h"
#include "collector/process/temporary_folder.h"

namespace perf {
namespace {

/// Whether git or the disk failed before anything of the revision ran, or the machine lacked what
/// building it takes: that tells nothing of it, where a base that does not build is from before the
/// benchmark.
bool tells_of_the_machine(const Checkout& checkout) {
  return !checkout.failure.empty() && !checkout.interrupted &&
         (checkout.built.empty() || checkout.starved);
}

}  // namespace

Session open_session(const Options& options, Spawner& spawner) {
  check_outputs(options);
  catch_interruptions();
  spawner.set_interrupted([] { return interruption() != 0; });
  remove_abandoned_folders();
  RunProcess run_process = make_run_process(spawner);
  Repository repository = Repository::open(options.repo, run_process);
  Store store(store_path(options, repository));
  return {options, spawner, std::move(run_process), std::move(repository), std::move(store)};
}

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

PlanOptions plan_options(const Session& session) {
  const Options& options = session.options;
  PlanOptions wanted;
  wanted.base = options.base;
  wanted.head = options.head;
  wanted.settings = settings_of(options);
  if (wanted.settings.any() && !options.head_given) {
    // Two settings of one revision: other commits between them would be compared by accident.
    wanted.head = wanted.base = options.base_given ? options.base : options.head;
  }
  if (!options.config.empty()) {
    wanted.config_file = options.config;
  }
  wanted.size = options.size;
  wanted.seed = options.seed;
  wanted.workload_globs = options.workloads;
  wanted.pins = session.store.pins();
  wanted.variable = environment_variable;
  wanted.environment = probe_environment(this_machine(session.run_process));
  wanted.outputs = output_places(options);
  wanted.outputs.push_back(store_path(options, session.repository));
  return wanted;
}

Checkouts build(Session& session, PlannedRun& run, ProgressView& progress) {
  const auto say = [&progress](const std::string& line) { progress.say(line); };
  Checkouts checkouts = prepare(run, session.repository, build_cache_folder(environment_variable),
                                session.run_process, say, [] { return interruption() != 0; });
  if (run.plan.base && !checkouts.base.failure.empty() && !checkouts.base.interrupted) {
    progress.say("base " + told(checkouts.base));
  }
  if (!checkouts.head.failure.empty() && !checkouts.head.interrupted) {
    progress.say("head " + told(checkouts.head));
  }
  if (run.plan.base && tells_of_the_machine(checkouts.base)) {
    throw Error("base " + checkouts.base.failure, told(checkouts.base),
                !checkouts.base.remedy.empty()
                    ? checkouts.base.remedy
                    : "check the disk that the cache is on, or name another place: XDG_CACHE_HOME");
  }
  apply_failures(checkouts, run.plan);
  return checkouts;
}

void measure(Session& session, const Plan& plan, const Checkouts& checkouts, Runner& runner,
             ProgressView& progress, const Wanted& wanted, History& history,
             const std::function<void(const History&)>& shown) {
  CollectHooks hooks;
  hooks.store = [&](const Invocation& invocation) {
    session.store.add(plan.run_id, invocation);
    if (session.options.verbose) {
      progress.tell(invocation);
    }
  };
  hooks.clock = monotonic_seconds;
  hooks.interrupted = [] { return interruption() != 0; };
  hooks.progress = [&](const Progress& now) { progress.update(now); };

  // A signal while building: what was not measured is not judged.
  history.interrupted = history.interrupted || interruption() != 0;
  while (const std::optional<Demand> demand = wanted(history)) {
    progress.begin(plan, *demand, history.measured);
    const std::size_t before = history.invocations.size();
    const bool was_spent = history.budget_spent;
    collect(*demand, plan, checkouts, runner, hooks, history);
    if (history.invocations.size() == before && history.budget_spent == was_spent) {
      break;  // interrupted before the first of them
    }
    if (shown) {
      shown(history);
    }
  }
}

}  // namespace perf

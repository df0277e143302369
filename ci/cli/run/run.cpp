#include "ci/cli/run/run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "analyzer/warnings/row_warnings.h"
#include "ci/cli/run/plan_digest.h"
#include "ci/cli/run/signals.h"
#include "collector/build/build_cache.h"
#include "collector/build/checkout_tree.h"
#include "collector/machine/environment.h"
#include "collector/process/process.h"
#include "collector/process/workload_runner.h"
#include "collector/trace/trace_programs.h"
#include "reporter/text/sentences.h"
#include "schema/error.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

Checkouts prepare_sides(const Run& run, ProgressView& progress, const std::string& indent,
                        bool announces_cached) {
  Context& context = run.context;
  const auto say = [&](const std::string& line) { progress.say(indent + line); };
  Checkouts checkouts =
      prepare(run.planned, *context.repository, build_cache_folder(environment_variable),
              {context.run_process, say, is_interrupted, announces_cached, &context.said_command,
               &context.rebuilt, [&](const BuildProgress& built) { progress.update(built); },
               context.options.rebuild || run.rebuilds, &context.filters});
  // Also now: a report wraps its lines, and these contain commands.
  for (const Warning& warning : warnings_of(checkouts)) {
    say(reporter::sentence(warning));
  }
  return checkouts;
}

/// Whether git, the disk or the machine failed, and not the revision: a base that does not build
/// may be older than the benchmark.
bool is_machine_failure(const Checkout& checkout) {
  return failed(checkout) && (checkout.built.empty() || checkout.starved);
}

CollectHooks hooks_of(Run& run) {
  CollectHooks hooks;
  hooks.store = [&run](const Invocation& invocation) {
    run.context.store.add(run.planned.plan.run_id, invocation);
    if (run.context.options.verbose) {
      run.progress->tell(invocation);
    }
  };
  hooks.clock = monotonic_seconds;
  hooks.interrupted = is_interrupted;
  hooks.progress = [&run](const Progress& now) { run.progress->update(now); };
  return hooks;
}

/// "perf.json", or "base: 3f2a9c01d2e4:perf-compare.json, head: ..." if the sides differ.
std::string build_source_of(const PlannedRun& run) {
  if (!run.base_build && !run.head_build) {
    return {};
  }
  return !run.plan.base || run.base_build_source == run.head_build_source
             ? run.head_build_source
             : "base: " + run.base_build_source + ", head: " + run.head_build_source;
}

/// A file that a command names relative to its config's folder, below the top of the checkout.
std::optional<Warning> file_beside_config(const Run& run, const Workload& workload,
                                          const std::filesystem::path& tree) {
  std::error_code failed;
  const std::filesystem::path folder =
      std::filesystem::relative(
          std::filesystem::path(run.context.options.config).parent_path() / ".",
          run.context.repository->workdir(), failed)
          .lexically_normal();
  if (run.context.options.config.empty() || !workload.cwd.empty() || failed || folder.empty() ||
      folder == "." || *folder.begin() == "..") {
    return std::nullopt;
  }
  for (const std::string& word : workload.command) {
    if (!word.empty() && word[0] != '/' && !std::filesystem::exists(tree / word, failed) &&
        std::filesystem::is_regular_file(tree / folder / word, failed)) {
      return Warning{WarningKind::files_beside_config,
                     {},
                     {{"workload", workload.name}, {"file", word}, {"folder", folder.string()}}};
    }
  }
  return std::nullopt;
}

/// Warns of files that failed processes name, and that only the user's working tree has: of each
/// workload those of its last failure.
void add_files_not_in_git(const Run& run, Report& report) {
  if (!run.context.repository) {
    return;
  }
  std::map<std::string, const Invocation*> failures;
  for (const Invocation& one : run.measurements.invocations) {
    if (!one.ok()) {
      failures[one.workload] = &one;
    }
  }
  for (const PlannedWorkload& planned : run.planned.plan.workloads) {
    const auto failed = failures.find(planned.workload.name);
    if (failed == failures.end() || !planned.control_of.empty()) {
      continue;
    }
    const Side side = failed->second->side;
    const Checkout& checkout = side == Side::base ? run.checkouts.base : run.checkouts.head;
    const Workload workload = workload_at(planned, side);
    const std::string text = joined(words_of_run(workload), " ") + " " + failed->second->failure +
                             " " + failed->second->process.stderr_text;
    const FilesNotInGit files =
        files_not_in_git(*run.context.repository, checkout.directory, text, workload.cwd);
    if (auto beside = file_beside_config(run, workload, checkout.directory)) {
      report.warnings.push_back(std::move(*beside));
    }
    if (!files.paths.empty()) {
      report.warnings.push_back({WarningKind::files_not_in_git,
                                 {{"count", files.paths.size()}},
                                 {{"workload", planned.workload.name},
                                  {"files", files.listed()},
                                  {"git", files.ignored ? "ignores" : "does not track"}}});
    }
  }
}

/// The checkouts as measuring began.
struct Untouched {
  std::set<std::string> base, head;  ///< changed_since_build

  explicit Untouched(const Checkouts& checkouts)
      : base(changed_since_build(checkouts.base)), head(changed_since_build(checkouts.head)) {}
};

/// Throws Error where a file changed in the checkout of one side only: a program that changes its
/// own files does so on both, so the other side's, or another process, wrote there.
void require_untouched(const Untouched& before, const Checkouts& checkouts) {
  const Untouched now(checkouts);
  for (const auto& [name, was, is, of_other] :
       {std::tuple{"base", &before.base, &now.base, &now.head},
        {"head", &before.head, &now.head, &now.base}}) {
    for (const std::string& file : *is) {
      if (!was->contains(file) && !of_other->contains(file)) {
        throw Error(std::string("files of ") + name + " changed while it was measured", file,
                    "see which program writes into the build cache; results were stored, and not "
                    "judged");
      }
    }
  }
}

}  // namespace

void print_warnings(const Plan& plan, ProgressView& progress, const std::string& indent) {
  for (const Warning& warning : plan.warnings) {
    progress.say(indent + "warning: " + reporter::sentence(warning));
  }
}

void build(Run& run) {
  const double began = monotonic_seconds();
  ProgressView& progress = *run.progress;
  run.checkouts = prepare_sides(run, progress, {}, true);
  const auto& [base, head] = run.checkouts;
  const bool has_base = run.planned.plan.base.has_value();
  const bool machine_failed = has_base && is_machine_failure(base);
  if (has_base && failed(base) && !machine_failed) {
    progress.say("base " + failure_line(base));
  }
  if (failed(head)) {
    progress.say("head " + failure_line(head));
  }
  if (machine_failed) {
    throw Error("base " + base.failure, why_failed(base),
                !base.remedy.empty()
                    ? base.remedy
                    : "check the disk of the build cache, or set XDG_CACHE_HOME to another folder");
  }
  apply_failures(run.checkouts, run.planned.plan);
  run.build_seconds = monotonic_seconds() - began;
}

void build_quietly(Run& run, ProgressView& progress, const std::string& indent) {
  if (!run.context.repository) {  // commands
    return;
  }
  run.checkouts = prepare_sides(run, progress, indent, false);
  apply_failures(run.checkouts, run.planned.plan);
}

void trace_run(Run& run) {
  run.measurements.invocations = trace_programs(
      run.planned.plan, run.checkouts, run.policy,
      {run.context.run_process, [&run](const std::string& line) { run.progress->say(line); },
       is_interrupted, !run.context.options.seed && !run.planned.plan.shard});
}

void begin(Run& run) {
  if (Plan& plan = run.planned.plan; plan.digest.empty()) {
    plan.digest = plan_digest(run.planned, run.policy, run.context.options);
  }
  run.context.store.begin_run(run.planned.plan, run.policy, PERF_COMPARE_VERSION, run.started_at);
  for (const Invocation& traced : run.measurements.invocations) {
    run.context.store.add(run.planned.plan.run_id, traced);
  }
}

void measure(Run& run, const Wanted& wanted) {
  const Plan& plan = run.planned.plan;
  Measurements& measurements = run.measurements;
  WorkloadRunner plain_runner(run.context.run_process);
  Runner& runner = run.runner != nullptr ? *run.runner : plain_runner;
  const CollectHooks hooks = hooks_of(run);

  // A signal while building: unmeasured workloads are not judged.
  measurements.interrupted = measurements.interrupted || is_interrupted();
  std::optional<Untouched> untouched;
  for (bool has_measured = false;; has_measured = true) {
    const Standing standing = standing_of(plan, measurements, run.policy);
    if (run.shows_rows && has_measured) {
      run.progress->show(analyze(standing));
      run.progress->tell_price(first_verdicts(standing));
    }
    const std::optional<Demand> demand = wanted ? wanted(standing) : next(standing);
    if (!demand) {
      break;
    }
    if (!has_measured) {  // what traces and earlier runs left favours nobody
      put_back(run.checkouts.base, run.context.run_process);
      put_back(run.checkouts.head, run.context.run_process);
      untouched.emplace(run.checkouts);
    }
    run.progress->begin(plan, *demand, measurements.measured);
    const std::size_t earlier = measurements.invocations.size();
    const bool was_spent = measurements.budget_spent;
    collect(*demand, plan, run.checkouts, runner, hooks, measurements);
    if (measurements.invocations.size() == earlier && measurements.budget_spent == was_spent) {
      break;  // interrupted before the first of them
    }
  }
  if (untouched && !measurements.interrupted) {
    require_untouched(*untouched, run.checkouts);
  }
}

Report report_of(const Run& run, const std::vector<Target>& targets) {
  Report report = analyze(run.planned.plan, run.measurements, run.policy, targets);
  stamp(report);
  report.config_source = run.planned.config_source;
  report.build_source = build_source_of(run.planned);
  add_files_not_in_git(run, report);
  return report;
}

Report carry_out(Run& run, const Wanted& wanted, const std::vector<Target>& targets) {
  begin(run);
  measure(run, wanted);
  return report_of(run, targets);
}

void add_environment_warnings(const Run& run, Report& report) {
  const Environment afterwards = probe_environment(this_machine(run.context.run_process));
  std::ranges::move(environment_warnings(run.planned.plan.environment, afterwards),
                    std::back_inserter(report.warnings));
}

void store_report(Run& run, const Report& report) {
  const Plan& plan = run.planned.plan;
  if (plan.purpose != Purpose::collect || plan.base) {
    run.context.store.finish_run(report, run.measurements.budget_spent);
    return;
  }
  // A single revision has samples, but no comparisons.
  Report without_rows = report;
  without_rows.comparisons.clear();
  without_rows.trade_offs.clear();
  run.context.store.finish_run(without_rows, run.measurements.budget_spent);
}

}  // namespace perf

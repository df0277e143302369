#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/run.h"
#include "collector/machine/environment.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "collector/randomness.h"
#include "collector/trace/built_tree.h"
#include "collector/trace/trace_programs.h"
#include "schema/error.h"
#include "schema/text/fnv.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string& command, bool shell) {
  if (shell) {
    return {"sh", "-c", command};
  }
  SplitCommand split = split_command(command);
  if (!split.of_shell.empty()) {
    throw UsageError("the command needs a shell, because of " + split.of_shell, command,
                     "add --shell to run it by sh -c, or quote the character");
  }
  if (split.words.empty() || split.words.front().empty()) {
    throw UsageError("empty command", "\"" + command + "\"");
  }
  return std::move(split.words);
}

fs::path folder_of(const std::string& option, const std::string& folder) {
  std::error_code error;
  fs::path path = fs::canonical(folder.empty() ? "." : folder, error);
  if (error || !fs::is_directory(path)) {
    throw UsageError("no such folder", option + " " + folder);
  }
  return path;
}

void set_variables(const std::string& option, const std::vector<Setting>& settings,
                   std::map<std::string, std::string>& variables) {
  for (const Setting& one : settings) {
    if (one.key.starts_with("PERF_COMPARE_")) {
      throw UsageError("perf-compare sets this variable itself", option + " " + one.key);
    }
    variables[one.key] = one.values.front();
  }
}

CommandSide side_of(const Options& options, bool at_base) {
  CommandSide side;
  side.directory = at_base ? folder_of("--base-dir", options.base_dir)
                           : folder_of("--head-dir", options.head_dir);
  Workload& workload = side.workload;
  workload.name = options.name;
  workload.format = options.format.empty() ? kProcessFormat : options.format;
  workload.command = words_of(at_base ? options.base : options.head, options.shell);
  if (!options.prepare.empty()) {
    workload.prepare = words_of(options.prepare, options.shell);
  }
  set_variables("--env", options.env, workload.env);
  set_variables(at_base ? "--base-env" : "--head-env",
                at_base ? options.base_env : options.head_env, workload.env);
  if (workload.prepare.empty() && executable_of(workload, side.directory).empty()) {
    throw UsageError("no such program", workload.command.front(),
                     "give its path from " + side.directory.string() + ", or a name in PATH");
  }
  return side;
}

/// The name of both programs, where it is one.
std::string default_name(const CommandSide& base, const CommandSide& head) {
  const auto name_of = [](const CommandSide& side) {
    return fs::path(side.workload.command.front()).filename().string();
  };
  const std::string name = name_of(base);
  return name == name_of(head) && fault_in_workload_name(name).empty() ? name : "command";
}

/// The side as a revision: its id is a digest of all that was asked for.
Revision revision_of(const std::string& command, const CommandSide& side) {
  Revision revision;
  revision.name = command;
  revision.rule = kCommandRule;
  revision.subject = program_digest(executable_of(side.workload, side.directory));
  const std::string nul(1, '\0');
  std::string text = joined(side.workload.command, nul) + nul + side.directory.string() + nul +
                     joined(side.workload.prepare, nul) + nul + revision.subject;
  for (const auto& [name, value] : side.workload.env) {
    text += nul + name + '=' + value;
  }
  revision.oid = hexadecimal(fnv1a_64(text)) + hexadecimal(fnv1a_64(nul + text)) +
                 hexadecimal(fnv1a_64(text + nul)).substr(0, 8);
  return revision;
}

/// Whether a command writes PERF_COMPARE_OUT, by running it once.
bool writes_steps(const CommandSide& side, std::uint64_t seed, const Policy& policy,
                  const RunProcess& run_process) {
  bool writes = false;
  const RunProcess watching = [&](const ProcessRequest& request) {
    ProcessResult result = run_process(request);
    for (const auto& [name, value] : request.environment) {
      std::error_code error;
      writes |= name == "PERF_COMPARE_OUT" && fs::file_size(value, error) > 0 && !error;
    }
    return result;
  };
  Invocation probe;
  probe.workload = side.workload.name;
  probe.seed = draw_pair(seed, probe.workload, 0, 1).seed;
  probe.steps_wanted = policy.initial_steps;
  probe.warmup_wanted = policy.warmup_steps;
  WorkloadRunner(watching).run(side.workload, side.directory, probe);
  return writes;
}

Context open_commands(const Options& options, Spawner& spawner, const fs::path& folder) {
  RunProcess run_process = begin_running(spawner);
  const fs::path db = options.db.empty() ? folder / "results.db" : fs::path(options.db);
  refuse_links_out(db.parent_path(), "--db " + options.db);
  return {options, std::move(run_process), std::nullopt, Store(db)};
}

PlannedRun plan_commands(const Context& context, const CommandSide& base, const CommandSide& head,
                         std::uint64_t seed) {
  const Options& options = context.options;
  PlannedRun planned;
  Plan& plan = planned.plan;
  plan.run_id = new_id();
  plan.base = revision_of(options.base, base);
  plan.head = revision_of(options.head, head);
  plan.environment = probe_environment(this_machine(context.run_process));
  plan.host = options.db.empty() ? new_id() : host_of_this_machine();
  plan.seed = seed;
  plan.attempt = read_attempt(environment_variable);
  planned.config_source = "the command line";
  planned.counts = options.count;
  PlannedWorkload& only = plan.workloads.emplace_back();
  only.workload = head.workload;
  only.at_base = base.workload;
  return planned;
}

/// Finds out whether both commands run the same program.
void trace_commands(Run& run, const CommandSide& base, const CommandSide& head,
                    const fs::path& folder) {
  const CommandRoots roots = roots_of(base, head);
  if (!roots.difference.empty()) {
    run.planned.plan.workloads.front().trace_record = TraceRecord{{}, {}, roots.difference};
    return;
  }
  run.checkouts = {checkout_of_command(base.directory, roots.base, folder / "base"),
                   checkout_of_command(head.directory, roots.head, folder / "head")};
  for (const Checkout* one : {&run.checkouts.base, &run.checkouts.head}) {
    if (std::error_code error; fs::file_size(one->entry / kBuiltFiles, error) == 0 || error) {
      run.planned.plan.workloads.front().trace_record =
          TraceRecord{{}, {}, one->root.string() + " cannot be listed"};
      return;
    }
  }
  trace_run(run);
}

}  // namespace

int ab_command(const Options& options, Spawner& spawner) {
  const TemporaryFolder folder;
  Context context = open_commands(options, spawner, folder.path());
  CommandSide base = side_of(options, true), head = side_of(options, false);
  if (options.name.empty()) {
    base.workload.name = head.workload.name = default_name(base, head);
  } else if (const std::string fault = fault_in_workload_name(options.name); !fault.empty()) {
    throw UsageError("the name " + fault, "--name " + options.name);
  }
  if (options.count) {
    require_callgrind(context.run_process);
  }
  const Policy policy = apply(Policy{}, options);
  require_reachable_look(policy, 1);
  const std::uint64_t seed = options.seed.value_or(new_seed());
  if (options.format.empty()) {
    const bool has_steps = writes_steps(base, seed, policy, context.run_process);
    writes_steps(head, seed, policy, context.run_process);  // both sides start equal
    base.workload.format = head.workload.format = has_steps ? kStepsFormat : kProcessFormat;
  }
  PlannedRun planned = plan_commands(context, base, head, seed);
  warn_of_missing_supervisor(planned.plan);
  if (options.control) {
    add_control_arms(planned.plan);
  }
  ProgressView progress(options, policy.budget);
  Run run{context, std::move(planned), policy, &progress, true};
  run.checkouts.base.directory = run.checkouts.base.root = base.directory;
  run.checkouts.head.directory = run.checkouts.head.root = head.directory;
  if (options.measure == "changed" && !options.control && !options.count) {
    trace_commands(run, base, head, folder.path());
  }
  Report report = carry_out(run);
  const bool has_dash = options.base.starts_with('-') || options.head.starts_with('-');
  report.reproduce = {"perf-compare ab" + deciding_options(options) + " --seed " +
                      std::to_string(run.planned.plan.seed) + (has_dash ? " -- " : " ") +
                      shell_word(options.base) + " " + shell_word(options.head)};
  add_environment_warnings(run, report);
  store_report(run, report);
  return end_command(
      report, [&] { return measured_workloads(run.planned.plan, run.measurements); }, options);
}

}  // namespace perf

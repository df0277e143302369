#include "ci/cli/compare/command_run.h"

#include <utility>

#include "ci/cli/output/output.h"
#include "collector/machine/environment.h"
#include "collector/process/workload_runner.h"
#include "collector/randomness.h"
#include "collector/trace/built_tree.h"
#include "schema/error.h"
#include "schema/text/fnv.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// The name of both programs, where it is one.
std::string default_name(const CommandSide& base, const CommandSide& head) {
  const auto name_of = [](const CommandSide& side) {
    return fs::path(side.workload.command.front()).filename().string();
  };
  const std::string name = name_of(base);
  return name == name_of(head) && fault_in_workload_name(name).empty() ? name : "command";
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

}  // namespace

std::vector<std::string> words_of(const std::string& command, const std::string& to_run_a_shell) {
  SplitCommand split = split_command(command);
  if (!split.of_shell.empty()) {
    throw UsageError("the command needs a shell, because of " + split.of_shell, command,
                     to_run_a_shell + ", or quote the character");
  }
  if (split.words.empty() || split.words.front().empty()) {
    throw UsageError("empty command", "\"" + command + "\"");
  }
  return std::move(split.words);
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

void require_program(const Workload& workload, const fs::path& directory) {
  if (workload.prepare.empty() && executable_of(workload, directory).empty()) {
    throw UsageError("no such program", workload.command.front(),
                     "give its path from " + directory.string() + ", or a name in PATH");
  }
}

void name_and_format(std::vector<CommandSide>& sides, const Options& options, std::uint64_t seed,
                     const Policy& policy, const RunProcess& run_process) {
  if (const std::string fault = fault_in_workload_name(options.name);
      !options.name.empty() && !fault.empty()) {
    throw UsageError("the name " + fault, "--name " + options.name);
  }
  const std::string& format = options.format;
  const std::string name =
      options.name.empty() ? default_name(sides.front(), sides.back()) : options.name;
  for (CommandSide& side : sides) {
    side.workload.name = name;
    side.workload.format = format.empty() ? kProcessFormat : format;
  }
  if (format.empty()) {
    const bool has_steps = writes_steps(sides.front(), seed, policy, run_process);
    writes_steps(sides.back(), seed, policy, run_process);  // both sides start equal
    for (CommandSide& side : sides) {
      side.workload.format = has_steps ? kStepsFormat : kProcessFormat;
    }
  }
}

Revision command_revision(SideKind kind, const std::string& name, const CommandSide& side,
                          const std::string& program, const std::string& content) {
  Revision revision;
  revision.name = name;
  revision.kind = kind;
  revision.rule = to_string(kind);
  revision.subject = program;
  const std::string nul(1, '\0');
  std::string text = joined(side.workload.command, nul) + nul + side.directory.string() + nul +
                     joined(side.workload.prepare, nul) + nul + revision.subject + content;
  for (const auto& [variable, value] : side.workload.env) {
    text += nul + variable + '=' + value;
  }
  revision.oid = hexadecimal(fnv1a_64(text)) + hexadecimal(fnv1a_64(nul + text)) +
                 hexadecimal(fnv1a_64(text + nul)).substr(0, 8);
  return revision;
}

Context open_commands(const Options& options, Spawner& spawner, const fs::path& folder) {
  RunProcess run_process = begin_running(spawner);
  const fs::path db = options.db.empty() ? folder / "results.db" : fs::path(options.db);
  refuse_links_out(db.parent_path(), "--db " + options.db);
  return {options, std::move(run_process), std::nullopt, Store(db)};
}

PlannedRun plan_commands(const Context& context, const Revision& base_revision,
                         const CommandSide& base, const Revision& head_revision,
                         const CommandSide& head, std::uint64_t seed) {
  const Options& options = context.options;
  PlannedRun planned;
  Plan& plan = planned.plan;
  plan.run_id = new_id();
  plan.base = base_revision;
  plan.head = head_revision;
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

Checkouts folders_of(const CommandSide& base, const CommandSide& head) {
  Checkouts folders;
  folders.base.directory = folders.base.root = base.directory;
  folders.head.directory = folders.head.root = head.directory;
  return folders;
}

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
          TraceRecord{{}, {}, one->root.string() + " cannot be listed, or has too many files"};
      return;
    }
  }
  trace_run(run);
}

}  // namespace perf

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/rule/early_looks.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/commands.h"
#include "ci/cli/compare/command_run.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/reproduce.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "collector/randomness.h"
#include "schema/error.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& option, const std::string& folder) {
  std::error_code error;
  fs::path path = fs::canonical(folder.empty() ? "." : folder, error);
  if (error || !fs::is_directory(path)) {
    throw UsageError("no such folder", option + " " + folder);
  }
  return path;
}

std::vector<std::string> command_words(const std::string& command, const Options& options) {
  return options.shell ? std::vector<std::string>{"sh", "-c", command}
                       : words_of(command, "add --shell to run it by sh -c");
}

Revision revision_of(const std::string& command, const CommandSide& side) {
  return command_revision(SideKind::command, command, side,
                          program_digest(executable_of(side.workload, side.directory)));
}

CommandSide side_of(const Options& options, bool at_base) {
  CommandSide side;
  side.directory = at_base ? folder_of("--base-dir", options.base_dir)
                           : folder_of("--head-dir", options.head_dir);
  Workload& workload = side.workload;
  workload.command = command_words(at_base ? options.base : options.head, options);
  if (!options.prepare.empty()) {
    workload.prepare = command_words(options.prepare, options);
  }
  set_variables("--env", options.env, workload.env);
  set_variables(at_base ? "--base-env" : "--head-env",
                at_base ? options.base_env : options.head_env, workload.env);
  require_program(workload, side.directory);
  return side;
}

}  // namespace

int ab_command(const Options& options, Spawner& spawner) {
  const TemporaryFolder folder;
  Context context = open_commands(options, spawner, folder.path());
  std::vector<CommandSide> sides{side_of(options, true), side_of(options, false)};
  if (options.count) {
    require_callgrind(context.run_process);
  }
  const Policy policy = apply(Policy{}, options);
  require_any_look(policy, 1);
  const std::uint64_t seed = options.seed.value_or(new_seed());
  name_and_format(sides, options, seed, policy, context.run_process);
  const CommandSide &base = sides.front(), &head = sides.back();
  PlannedRun planned = plan_commands(context, revision_of(options.base, base), base,
                                     revision_of(options.head, head), head, seed);
  warn_of_missing_supervisor(planned.plan);
  if (options.control) {
    add_control_arms(planned.plan);
  }
  ProgressView progress(options, policy.budget);
  Run run{context, std::move(planned), policy, &progress, true};
  run.checkouts = folders_of(base, head);
  if (options.measure == "changed" && !options.control && !options.count) {
    trace_commands(run, base, head, folder.path());
  }
  recall_noise(context.store, policy, run.planned.plan);
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

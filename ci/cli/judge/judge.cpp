#include "analyzer/judge/judge.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/judge/judge_sessions.h"
#include "analyzer/rows/comparison_rows.h"
#include "ci/cli/commands.h"
#include "ci/cli/judge/judge.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/store_and_config.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/formats/judge_cases.h"

namespace perf {
namespace {

/// BASE and HEAD, or the values of --base and --head.
struct SideNames {
  std::vector<std::string> base, head;
};

SideNames side_names(const Options& options) {
  SideNames names{options.base_files, options.head_files};
  if (!options.second_file.empty()) {
    names.base.insert(names.base.begin(), options.file);
    names.head.insert(names.head.begin(), options.second_file);
  } else if (!options.file.empty()) {
    throw UsageError("file without a side", options.file,
                     "pass it as --base " + options.file + " or --head " + options.file);
  }
  if (names.base.empty() || names.head.empty()) {
    throw UsageError(
        "missing side", names.base.empty() ? "base" : "head",
        "perf-compare judge BASE HEAD, or --base FILE... and --head FILE..., one a session");
  }
  if (std::ranges::count(names.base, "-") + std::ranges::count(names.head, "-") > 1) {
    throw UsageError("standard input is named twice", "-", "pass a file for the other side");
  }
  return names;
}

/// One name that no file or folder has is a revision; `.` is the working tree.
bool is_revision(const std::vector<std::string>& names) {
  return names.size() == 1 && (names.front() == "." || !names_sessions(names.front()));
}

/// A file of cases has both sides; other formats need two files.
std::vector<JudgeCase> read_cases(const Options& options) {
  if (!options.metrics.empty()) {
    throw UsageError("--metric does not apply to cases", "--metric " + options.metrics.front(),
                     "leave it out, or pass both sides");
  }
  if (is_revision({options.file})) {
    throw UsageError("no such file", options.file, "perf-compare judge BASE HEAD");
  }
  const std::string text = read_input(options.file);
  if (formats::format_of(text).is_session) {
    throw UsageError("samples of one side only", options.file,
                     "pass the other as well: perf-compare judge BASE HEAD; two commands: "
                     "perf-compare ab COMMAND COMMAND");
  }
  std::vector<JudgeCase> cases = formats::read_judge_cases(text, options.file);
  if (cases.empty()) {
    throw Error("no cases", options.file, "add cases to the file");
  }
  return cases;
}

Report report_of_cases(const Options& options) {
  Policy policy = apply(Policy{}, options);
  policy.looks = options.looks;
  const std::vector<JudgeCase> cases = read_cases(options);
  Report report;
  report.policy = policy;
  report.judged = options.together ? static_cast<int>(cases.size()) : 1;
  report.comparisons = judge(cases, policy, options.together);
  report.summary = summarize(report.comparisons);
  report.head.kind = SideKind::files;
  report.head.name = options.file;
  report.base = report.head;
  report.config_source = options.file;
  return report;
}

/// "old.txt", or "8 files: mon.txt, ...".
Revision files_of(const std::vector<std::string>& names) {
  Revision side;
  side.kind = SideKind::files;
  side.name = names.size() == 1
                  ? names.front()
                  : std::to_string(names.size()) + " files: " + names.front() + ", ...";
  return side;
}

Context open_store(const Options& options, const std::string& revision, Spawner& spawner) {
  try {
    return open_context(options, spawner);
  } catch (const UsageError& error) {
    throw UsageError("no such file", revision,
                     "pass a file or folder, or run in a clone whose store has the revision (" +
                         error.what + ": " + error.subject + ")");
  }
}

/// What a report of two stored sides has beyond others.
void add_measured(const Context& context, const PlannedRun& run, JudgedSides& sides, Report& report,
                  MeasuredBehind& measured) {
  report.config_source = run.config_source;
  if (report.base) {
    report.reproduce = {"perf-compare judge " + short_oid(report.base->oid) + " " +
                        short_oid(report.head.oid) + " --size " + report.size +
                        deciding_options(context.options)};
  }
  measured = [pairs = std::move(sides.pairs)] { return measured_behind(pairs); };
}

Report report_of_sides(const Options& options, Spawner& spawner, MeasuredBehind& measured) {
  const SideNames names = side_names(options);
  const bool base_is_stored = is_revision(names.base), head_is_stored = is_revision(names.head);
  const bool both = base_is_stored && head_is_stored;
  Options wanted = options;
  wanted.base = names.base.front();
  wanted.head = names.head.front();
  if (options.history && !both) {
    throw UsageError("--history takes two revisions", "", "perf-compare judge BASE HEAD --history");
  }
  std::optional<Context> context;
  if (base_is_stored || head_is_stored) {
    context.emplace(open_store(wanted, base_is_stored ? wanted.base : wanted.head, spawner));
  }
  ProgressView view(options);
  std::vector<Warning> warnings;
  JudgedSides sides;
  if (!both) {
    sides.together = options.together;
    sides.globs = options.workloads;
  }
  if (!base_is_stored) {
    sides.base = side_of_files(names.base, context.has_value(), options, view, warnings);
    sides.plan.base = files_of(names.base);
  }
  if (!head_is_stored) {
    sides.head = side_of_files(names.head, context.has_value(), options, view, warnings);
    sides.plan.head = files_of(names.head);
  }
  sides.plan.size.clear();
  PlannedRun run;
  if (context) {
    run = fill_from_store(*context, base_is_stored, head_is_stored, sides);
  } else {
    run.config = config_here(options, nullptr);
  }
  const Policy policy = apply(run.config.policy, options);
  std::ranges::move(complete_params(sides.base, sides.head), std::back_inserter(warnings));
  add_quantiles(policy, sides.base);
  add_quantiles(policy, sides.head);
  warn_of_common_sessions(sides, warnings);
  Report report = judge_sides(sides, policy, both ? run.config.targets : std::vector<Target>{});
  report.config_source = "none: nothing was measured";
  std::ranges::copy(warnings, std::back_inserter(report.warnings));
  if (both) {
    add_measured(*context, run, sides, report, measured);
  }
  return report;
}

/// What is no file is looked up as a revision.
Report report_of_names(const Options& options, Spawner& spawner, MeasuredBehind& measured) {
  try {
    return report_of_sides(options, spawner, measured);
  } catch (const UsageError& error) {
    if (error.what == "no such revision") {
      throw UsageError("no such file or revision", error.subject, error.hint);
    }
    throw;
  }
}

}  // namespace

int judge_command(const Options& options, Spawner& spawner) {
  const bool are_cases = !options.file.empty() && options.second_file.empty() &&
                         options.base_files.empty() && options.head_files.empty();
  if (!are_cases && options.looks > 1) {
    throw UsageError("--looks applies to cases only", "--looks " + std::to_string(options.looks),
                     "leave it out");
  }
  MeasuredBehind measured;
  Report report =
      are_cases ? report_of_cases(options) : report_of_names(options, spawner, measured);
  stamp(report);
  return end_command(report, measured, options);
}

}  // namespace perf

#include "analyzer/judge/judge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
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
#include "collector/git/baseline.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/formats/judge_cases.h"
#include "schema/text/glob.h"

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
    throw UsageError("missing side", names.base.empty() ? "base" : "head",
                     "perf-compare judge BASE HEAD, or --base FILE and --head FILE, one a session");
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
  if (formats::is_session(text)) {
    throw UsageError("samples of one side only", options.file, "perf-compare judge BASE HEAD");
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

/// Whether -w matches a workload or its entry in the config; a file does not tell where the name of
/// the entry ends.
bool is_of(const std::string& glob, const std::string& workload) {
  for (std::size_t end = workload.find('/'); end != std::string::npos;
       end = workload.find('/', end + 1)) {
    if (glob_match(glob, workload.substr(0, end))) {
      return true;
    }
  }
  return glob_match(glob, workload);
}

/// Gives rows to what -w matches. Throws UsageError for a glob that matches nothing.
void choose(const std::vector<std::string>& globs, JudgedSides& sides) {
  std::set<std::string> names;
  for (const auto* side : {&sides.base, &sides.head}) {
    for (const SampleSet& set : *side) {
      for (const SampleSeries& one : set.series) {
        names.insert(one.name);
      }
      for (const auto* reasons : {&set.failures, &set.skipped}) {
        for (const auto& [benchmark, why] : *reasons) {
          names.insert(benchmark.name);
        }
      }
    }
  }
  for (const std::string& glob : globs) {
    if (std::ranges::none_of(names, [&](const auto& name) { return is_of(glob, name); })) {
      throw UsageError("no workload matches", glob, "use the name of a benchmark");
    }
  }
  if (!globs.empty()) {
    sides.is_chosen = [globs](const std::string& name) {
      return std::ranges::any_of(globs, [&](const auto& glob) { return is_of(glob, name); });
    };
  }
}

void warn_of_common_session(const JudgedSides& sides, std::vector<Warning>& warnings) {
  std::map<std::string, std::string> of_base;  // values -> file
  for (const SampleSet& one : sides.base) {
    of_base.emplace(values_text(one), one.source);
  }
  of_base.erase("");
  int common = 0;
  for (const SampleSet& one : sides.head) {
    const auto other = of_base.find(values_text(one));
    if (other != of_base.end() && common++ == 0) {
      warnings.push_back(
          {WarningKind::same_on_both_sides, {}, {{"base", other->second}, {"head", one.source}}});
    }
  }
  if (common > 1) {
    warnings.back().figures["more"] = common - 1;
  }
}

Context open_store(const Options& options, const std::string& revision, Spawner& spawner) {
  try {
    return open_context(options, spawner);
  } catch (const UsageError& error) {
    throw UsageError("no such file, and no store has the revision", revision,
                     error.what + ": " + error.subject);
  }
}

/// What is judged, and how.
struct Judged {
  JudgedSides sides;
  Policy policy;
  std::vector<Target> targets{};
  std::string config_source = "none: nothing was measured";
  std::vector<std::string> reproduce{};
  std::vector<Warning> warnings{};
};

Judged from_store(const Context& context) {
  Judged judged;
  PlannedRun run = fill_from_store(context, judged.sides);
  judged.policy = apply(run.config.policy, context.options);
  judged.targets = run.config.targets;
  judged.config_source = run.config_source;
  if (const Plan& plan = judged.sides.plan; plan.base) {
    judged.reproduce = {"perf-compare judge " + short_oid(plan.base->oid) + " " +
                        short_oid(plan.head.oid) + " --size " + plan.size +
                        deciding_options(context.options)};
  }
  return judged;
}

Judged judged_of(const SideNames& names, const Options& options, Spawner& spawner) {
  const bool base_is_stored = is_revision(names.base), head_is_stored = is_revision(names.head);
  Options wanted = options;
  wanted.base = names.base.front();
  wanted.head = names.head.front();
  if (options.history && !(base_is_stored && head_is_stored)) {
    throw UsageError("--history takes two revisions", "", "perf-compare judge BASE HEAD --history");
  }
  std::optional<Context> context;
  if (base_is_stored || head_is_stored) {
    context.emplace(open_store(wanted, base_is_stored ? wanted.base : wanted.head, spawner));
  }
  if (base_is_stored && head_is_stored) {
    return from_store(*context);
  }
  const Config config = config_here(wanted, context ? &*context->repository : nullptr);
  Judged judged;
  judged.policy = apply(config.policy, options);
  JudgedSides& sides = judged.sides;
  sides.together = options.together;
  sides.plan.size.clear();
  ProgressView view(options, judged.policy.budget);
  if (!base_is_stored) {
    sides.base = side_of_files(names.base, options, view, judged.warnings);
    sides.plan.base = files_of(names.base);
  }
  if (!head_is_stored) {
    sides.head = side_of_files(names.head, options, view, judged.warnings);
    sides.plan.head = files_of(names.head);
  }
  if (context) {
    fill_side_from_store(*context, base_is_stored ? wanted.base : wanted.head, base_is_stored,
                         judged.policy, sides);
    for (SampleSet& set : base_is_stored ? sides.head : sides.base) {
      if (!set.of_workloads) {
        formats::name_as_imported(set);
      }
    }
  }
  choose(options.workloads, sides);
  complete_params(sides.base, sides.head);
  for (auto* side : {&sides.base, &sides.head}) {
    for (SampleSet& set : *side) {
      if (!set.of_workloads) {  // others have the quantiles that their policy names
        add_quantiles(judged.policy, set);
      }
    }
  }
  warn_of_common_session(sides, judged.warnings);
  return judged;
}

Report report_of_sides(const Options& options, Spawner& spawner, MeasuredBehind& measured) {
  const SideNames names = side_names(options);
  Judged judged;
  try {
    judged = judged_of(names, options, spawner);
  } catch (const UsageError& error) {
    if (error.what == "no such revision") {
      throw UsageError("no such file or revision", error.subject, error.hint);
    }
    throw;
  }
  Report report = judge_sides(judged.sides, judged.policy, judged.targets);
  report.base = judged.sides.plan.base;
  report.head = judged.sides.plan.head;
  report.size = judged.sides.plan.size;
  report.config_source = judged.config_source;
  report.reproduce = judged.reproduce;
  std::ranges::copy(judged.warnings, std::back_inserter(report.warnings));
  measured = [pairs = judged.sides.pairs] { return measured_behind(pairs); };
  return report;
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
      are_cases ? report_of_cases(options) : report_of_sides(options, spawner, measured);
  stamp(report);
  return end_command(report, measured, options);
}

}  // namespace perf

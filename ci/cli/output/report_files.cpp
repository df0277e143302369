#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/judge/judge_stored.h"
#include "ci/cli/judge/judge.h"
#include "ci/cli/options/command_tree.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/context.h"
#include "ci/cli/run/store_and_config.h"
#include "collector/git/baseline.h"
#include "schema/config.h"
#include "schema/error.h"
#include "schema/formats/report_json.h"
#include "schema/text/glob.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// A file that begins like JSON, even if it is not a valid report: then the reader reports why.
bool is_file(const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored)) {
    return false;
  }
  const std::string text = read_beginning(name);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

/// A side from a file or from the store.
struct ReportSide {
  Revision revision;
  std::string size;
  std::vector<SampleSet> sessions;
};

ReportSide side_of_file(const std::string& file) {
  formats::ReportFile report = formats::read_report_json(read_input(file), file);
  ReportSide side;
  side.revision = std::move(report.head);
  side.revision.name = file;
  side.revision.rule = "head of the report " + file;
  side.size = std::move(report.size);
  side.sessions = std::move(report.sessions);
  return side;
}

/// Whether -w matches a workload or its entry in the config; a report does not tell where the name
/// of the entry ends.
bool is_of(const std::string& glob, const std::string& workload) {
  for (std::size_t end = workload.find('/'); end != std::string::npos;
       end = workload.find('/', end + 1)) {
    if (glob_match(glob, workload.substr(0, end))) {
      return true;
    }
  }
  return glob_match(glob, workload);
}

/// Removes what -w does not match; returns the globs that matched.
std::set<std::string> keep_chosen(const std::vector<std::string>& globs, ReportSide& side) {
  std::set<std::string> used;
  const auto is_left_out = [&](const std::string& workload) {
    bool chosen = globs.empty();
    for (const std::string& glob : globs) {
      if (is_of(glob, workload)) {
        chosen = true;
        used.insert(glob);
      }
    }
    return !chosen;
  };
  for (SampleSet& set : side.sessions) {
    std::erase_if(set.series, [&](const SampleSeries& one) { return is_left_out(one.name); });
    std::erase_if(set.failures, [&](const auto& one) { return is_left_out(one.first); });
  }
  return used;
}

/// The newest stored session of each workload at a revision.
ReportSide side_of_revision(const Context& context, const Revision& revision,
                            const std::string& size, const Policy& policy) {
  PlanOptions wanted = plan_options(context);
  wanted.head = revision.oid;
  wanted.head_only = true;
  wanted.size = size;
  const PlannedRun run = make_plan(*context.repository, wanted);
  ReportSide side;
  side.revision = revision;
  side.size = size;
  std::vector<const Workload*> workloads =
      mapped(run.plan.workloads, [](const PlannedWorkload& planned) { return &planned.workload; });
  for (std::vector<SampleSet>& newest :
       stored_sessions(context.store, workloads, revision.oid, size, policy, 1)) {
    std::ranges::move(newest, std::back_inserter(side.sessions));
  }
  if (side.sessions.empty()) {
    throw Error("no stored results of the revision", revision.name + " at size " + size,
                "measure it first: perf-compare BASE " + revision.name);
  }
  return side;
}

int finish(ReportSide base, ReportSide head, const Policy& policy, const Options& options) {
  if (base.size != head.size) {
    throw UsageError("the reports have different sizes", base.size + " and " + head.size,
                     "compare reports of the same --size");
  }
  std::set<std::string> used = keep_chosen(options.workloads, base);
  used.merge(keep_chosen(options.workloads, head));
  for (const std::string& glob : options.workloads) {
    if (used.count(glob) == 0) {
      throw UsageError("no workload matches", glob, "use a name from the reports");
    }
  }
  Report report = judge_reports(base.sessions, head.sessions, policy);
  report.base = base.revision;
  report.head = head.revision;
  report.size = head.size;
  report.environments = {{head.sessions.front().environment}};
  stamp(report);
  report.config_source = "none: nothing was measured";
  return end_command(report, {}, options);
}

/// The repository and its store, if there are any; two files need none.
std::optional<Context> context_beside(const Options& options, Spawner& spawner, bool needed) {
  try {
    return open_context(options, spawner);
  } catch (const Error&) {
    if (needed) {
      throw;
    }
    return std::nullopt;
  }
}

/// Whether a name is only a file, and not a revision, pin or baseline.
bool means_file(const std::string& name, const std::optional<Context>& context,
                const NameSources& sources) {
  return is_file(name) &&
         (!context || (name != "baseline" && !find_named(*context->repository, name, sources)));
}

Revision base_of(const Context& context, const ReportSide& head, const NameSources& sources) {
  const Options& options = context.options;
  std::optional<Revision> base =
      resolve_base(*context.repository, options.base, head.revision, sources);
  if (!base) {
    throw UsageError("a root commit has no baseline", options.head, "pass BASE");
  }
  return *base;
}

}  // namespace

std::optional<int> compare_report_files(const Options& options, Spawner& spawner) {
  const bool may_base = is_file(options.base), may_head = is_file(options.head);
  if (!may_base && !may_head) {
    return std::nullopt;
  }
  const std::optional<Context> context = context_beside(options, spawner, !may_base || !may_head);
  const Config config = config_here(options, context ? &*context->repository : nullptr);
  NameSources sources;
  if (context) {
    sources = {context->store.pins(), config.baselines, environment_variable};
  }
  const bool base_is_file = means_file(options.base, context, sources);
  const bool head_is_file = means_file(options.head, context, sources);
  if (!base_is_file && !head_is_file) {
    return std::nullopt;
  }
  reject_conflicts("--stored", "a report file", options);
  const Policy policy = apply(config.policy, options);
  if (!head_is_file) {
    const ReportSide base = side_of_file(options.base);
    const Revision head = resolve_head(*context->repository, options.head, sources);
    return finish(base, side_of_revision(*context, head, base.size, policy), policy, options);
  }
  const ReportSide head = side_of_file(options.head);
  return finish(base_is_file ? side_of_file(options.base)
                             : side_of_revision(*context, base_of(*context, head, sources),
                                                head.size, policy),
                head, policy, options);
}

}  // namespace perf

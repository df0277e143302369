#include "ci/cli/report_files.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/judge/judge_reports.h"
#include "ci/cli/clock.h"
#include "ci/cli/output.h"
#include "ci/cli/session.h"
#include "ci/cli/session_files.h"
#include "ci/cli/stored.h"
#include "collector/build/config_source.h"
#include "collector/git/baseline.h"
#include "schema/error.h"
#include "schema/formats/report_json.h"

namespace perf {
namespace {

/// A file that begins as JSON does: what it lacks to be a report is then worth an error of its own.
bool is_file(const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored))
    return false;
  char first = 0;
  std::ifstream stream(name, std::ios::binary);
  return stream >> first && first == '{';
}

/// One side, wherever it comes from.
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
  side.sessions.push_back(std::move(report.samples));
  return side;
}

NameSources name_sources(const Session& session) {
  NameSources sources;
  sources.pins = session.store.pins();
  sources.variable = environment_variable;
  if (const auto config = config_of_working_tree(session.repository))
    sources.baselines = config->config.baselines;
  return sources;
}

/// The newest stored session of each workload at a revision.
ReportSide side_of_revision(const Session& session, const Revision& revision,
                            const std::string& size, const Policy& policy) {
  PlanOptions wanted = plan_options(session);
  wanted.head = revision.oid;
  wanted.head_only = true;
  wanted.size = size;
  const PlannedRun run = make_plan(session.repository, wanted);
  ReportSide side;
  side.revision = revision;
  side.size = size;
  for (const PlannedWorkload& planned : run.plan.workloads) {
    for (SampleSet& set :
         stored_sessions(session.store, planned.workload, revision.oid, size, policy, 1))
      side.sessions.push_back(std::move(set));
  }
  if (side.sessions.empty())
    throw Error("nothing is stored of the revision", revision.name + " at size " + size,
                "measure it: perf-compare BASE " + revision.name);
  return side;
}

int finish(const ReportSide& base, const ReportSide& head, const Policy& policy,
           const Options& options) {
  if (base.size != head.size)
    throw UsageError("the sides were measured at different sizes", base.size + " and " + head.size,
                     "compare reports of one --size");
  Report report = judge_reports(base.sessions, head.sessions, policy);
  report.base = base.revision;
  report.head = head.revision;
  report.size = head.size;
  report.environment = head.sessions.front().environment;
  report.generated_at = utc_now();
  report.tool_version = PERF_COMPARE_VERSION;
  report.config_source = "none: nothing was measured";
  return write_unmeasured(report, options);
}

/// Whether something of git, the store or the config has the name.
bool has_meaning(const Session& session, const NameSources& sources, const std::string& name) {
  return name == "baseline" || find_named(session.repository, name, sources).has_value();
}

/// The repository, where there is one to ask; two files need none.
std::optional<Session> session_beside(const Options& options, Spawner& spawner, bool needed) {
  try {
    return open_session(options, spawner);
  } catch (const Error&) {
    if (needed)
      throw;
    return std::nullopt;
  }
}

}  // namespace

std::optional<int> compare_report_files(const Options& options, Spawner& spawner) {
  bool base_is_file = is_file(options.base), head_is_file = is_file(options.head);
  if (!base_is_file && !head_is_file)
    return std::nullopt;
  check_outputs(options);
  const std::optional<Session> session =
      session_beside(options, spawner, !base_is_file || !head_is_file);
  if (!session)
    return finish(side_of_file(options.base), side_of_file(options.head), apply({}, options),
                  options);
  const NameSources sources = name_sources(*session);
  base_is_file = base_is_file && !has_meaning(*session, sources, options.base);
  head_is_file = head_is_file && !has_meaning(*session, sources, options.head);
  if (!base_is_file && !head_is_file)
    return std::nullopt;

  const auto config = config_of_working_tree(session->repository);
  const Policy policy = apply(config ? config->config.policy : Policy{}, options);
  if (base_is_file && head_is_file)
    return finish(side_of_file(options.base), side_of_file(options.head), policy, options);
  const Repository& repository = session->repository;
  if (base_is_file) {
    const ReportSide base = side_of_file(options.base);
    const Revision head = resolve_head(repository, options.head, sources);
    return finish(base, side_of_revision(*session, head, base.size, policy), policy, options);
  }
  const ReportSide head = side_of_file(options.head);
  const std::optional<Revision> base =
      resolve_base(repository, options.base, head.revision, sources);
  if (!base)
    throw UsageError("there is no baseline of a root commit", options.head, "name a BASE");
  return finish(side_of_revision(*session, *base, head.size, policy), head, policy, options);
}

}  // namespace perf

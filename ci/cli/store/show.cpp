#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/show/views.h"
#include "ci/cli/commands.h"
#include "ci/cli/hub/hub.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/run/store_and_config.h"
#include "ci/cli/store/stored_ids.h"
#include "collector/git/baseline.h"
#include "collector/hub/hub.h"
#include "collector/process/temporary_folder.h"
#include "reporter/render.h"

namespace perf {
namespace {

/// Runs of a revision that are shown.
constexpr std::int64_t kMostRuns = 20;

int show_run(const Store& store, const std::string& id, const Options& options) {
  RunView view =
      run_view(store.listed_run(id), store.load_plan(id), store.load_policy(id), store.load(id));
  if (std::optional<Report> report = store.load_report(id)) {
    view.audits = std::move(report->audits);
  }
  view.audit_record = store.audit_record();
  return end_command(renderings_of(view, render_run_json), options, kFine);
}

int show_revision(const Store& store, const Revision& revision, const Options& options) {
  RevisionView view;
  view.revision = revision;
  view.runs = store.listed_runs_at(revision.oid, kMostRuns + 1);
  std::vector<std::pair<std::string, RecordedHistory>> recorded;
  for (const std::string& size : store.sizes_at(revision.oid)) {
    recorded.emplace_back(
        size, store.load_recorded({{revision.oid}, size, options.workloads, options.metrics}));
  }
  view.series = series_at_revision(recorded);
  view.more = static_cast<std::int64_t>(view.runs.size()) > kMostRuns;
  if (view.more) {
    view.runs.resize(kMostRuns);
  }
  return end_command(renderings_of(view, render_revision_json), options, kFine);
}

/// The run that the name is the id of; runs come before revisions.
std::optional<std::string> named_run(const Store& store, const Options& options) {
  if (!options.run.empty()) {
    return find_run(store, options.run);
  }
  const std::vector<ListedRun> latest = store.list_runs(1);
  if (latest.empty()) {
    throw UsageError("no run in the store", "", "measure something first: perf-compare");
  }
  return latest.front().id;
}

}  // namespace

int list_command(const Options& options, Spawner& spawner) {
  require_tables(options);
  if (reads_hub(options)) {
    return end_command(renderings_of(runs_in_hub(options), render_run_list_json), options, kFine);
  }
  const std::filesystem::path file = store_to_look_into(options, spawner);
  const Store store(file);
  RunList list;
  list.store = file.string();
  list.workloads = options.workloads;
  list.all = store.count_runs();
  const auto limit = static_cast<std::int64_t>(options.limit);
  list.runs = store.list_runs(limit + 1, options.workloads);
  list.more = static_cast<std::int64_t>(list.runs.size()) > limit;
  if (list.more) {
    list.runs.pop_back();
  }
  return end_command(renderings_of(list, render_run_list_json), options, kFine);
}

namespace {

Revision named_revision(const Options& options, Spawner& spawner,
                        const std::vector<Baseline>& pins) {
  try {
    const Repository repository = Repository::open(options.repo, make_run_process(spawner));
    return resolve_head(repository, options.run, {pins, {}, environment_variable});
  } catch (const UsageError& error) {
    throw UsageError("no such run or revision", options.run,
                     error.hint + "\nlist the runs: perf-compare list");
  }
}

/// The runs are taken into a store, and shown from there.
int show_from_hub(const Options& options, Spawner& spawner) {
  const TemporaryFolder folder;
  Store store(folder.path() / "runs.db");
  if (take_runs_named(options, store) > 0) {
    if (const std::optional<std::string> id = named_run(store, options)) {
      return show_run(store, *id, options);
    }
  }
  if (options.run.empty()) {
    throw UsageError("no run in the hub", shown_hub(options.hub),
                     "perf-compare hub index " + shown_hub(options.hub));
  }
  const Revision revision = named_revision(options, spawner, {});
  take_runs_at(options, revision.oid, store);
  return show_revision(store, revision, options);
}

}  // namespace

int show_command(const Options& options, Spawner& spawner) {
  require_tables(options);
  if (reads_hub(options)) {
    return show_from_hub(options, spawner);
  }
  const Store store(store_to_look_into(options, spawner));
  if (const std::optional<std::string> id = named_run(store, options)) {
    return show_run(store, *id, options);
  }
  return show_revision(store, named_revision(options, spawner, store.pins()), options);
}

}  // namespace perf

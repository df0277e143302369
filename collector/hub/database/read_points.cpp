#include <algorithm>
#include <map>
#include <utility>

#include "collector/hub/database/points.h"
#include "collector/hub/database/rows.h"
#include "schema/error.h"
#include "schema/text/glob.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using postgres::Rows;

template <class Kind>
Kind kind_of(const std::string& word, const Connection& connection) {
  if (const std::optional<Kind> kind = named<Kind>(word)) {
    return *kind;
  }
  throw Error("unknown alert state in the hub", connection.place() + ": " + word,
              "install the newer perf-compare that wrote it");
}

}  // namespace

void begin_reading(Connection& connection) {
  connection.execute(
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; "
      "SET LOCAL search_path = pg_catalog");
}

std::vector<Alert> load_alerts(Connection& connection) {
  std::vector<Alert> alerts;
  std::map<std::int64_t, std::size_t> places;
  const Rows rows = connection.run(
      "SELECT key, id, workload, params, metric, fingerprint, anchor, outside, host, kind, "
      "previous_oid, oid, baseline, change FROM perf_compare.alert ORDER BY key");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[rows.integer(i, 0)] = i;
    alerts.push_back({rows.text(i, 1),
                      {rows.text(i, 2), stored_params(rows.text(i, 3)), rows.text(i, 4),
                       rows.text(i, 5), rows.text(i, 6), rows.text(i, 7), rows.text(i, 8)},
                      kind_of<AlertKind>(rows.text(i, 9), connection),
                      rows.text(i, 10),
                      rows.text(i, 11),
                      rows.text(i, 12),
                      rows.real(i, 13),
                      {}});
  }
  const Rows events = connection.run(
      "SELECT alert, news, at, run, author, reason FROM perf_compare.alert_event ORDER BY key");
  for (std::size_t i = 0; i < events.size(); ++i) {
    alerts[places.at(events.integer(i, 0))].events.push_back(
        {kind_of<AlertNews>(events.text(i, 1), connection), events.text(i, 2), events.text(i, 3),
         events.text(i, 4), events.text(i, 5)});
  }
  return alerts;
}

namespace {

/// The planned workloads that a glob matches.
std::string planned_like(Connection& connection, const std::vector<std::string>& globs) {
  const Rows rows =
      connection.run("SELECT DISTINCT unnest(planned) AS name FROM perf_compare.run ORDER BY 1");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string name = rows.text(i, 0);
    if (is_chosen(globs, name)) {
      names.push_back(std::move(name));
    }
  }
  return names_array(names);
}

}  // namespace

std::vector<ListedRun> load_runs(Connection& connection, std::int64_t limit,
                                 const std::vector<std::string>& globs) {
  const std::optional<std::string> names =
      globs.empty() ? std::nullopt : std::optional(planned_like(connection, globs));
  const Rows rows = connection.run(
      "SELECT r.id, r.kind, r.started_at, r.size, r.tool_version, b.oid, r.base_name, b.subject, "
      "r.base_dirty, h.oid, r.head_name, h.subject, r.head_dirty, r.verdict, r.finished, "
      "r.interrupted, r.workloads, r.processes, r.pairs, r.source, r.shard, r.shards FROM "
      "perf_compare.run AS r JOIN perf_compare.revision AS h ON h.key = r.head LEFT JOIN "
      "perf_compare.revision AS b ON b.key = r.base WHERE $2::text IS NULL OR r.planned && "
      "$2::text[] ORDER BY r.key DESC LIMIT $1",
      limit, names);
  std::vector<ListedRun> runs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ListedRun& run = runs.emplace_back();
    run.id = rows.text(i, 0);
    run.kind = named<RunKind>(rows.text(i, 1)).value_or(RunKind::compare);
    run.started_at = rows.text(i, 2);
    run.size = rows.text(i, 3);
    run.tool_version = rows.text(i, 4);
    if (!rows.is_null(i, 5)) {
      run.base = ListedCommit{rows.text(i, 5), rows.text(i, 6), rows.text(i, 7), rows.flag(i, 8)};
    }
    run.head = {rows.text(i, 9), rows.text(i, 10), rows.text(i, 11), rows.flag(i, 12)};
    if (!rows.is_null(i, 13)) {
      run.verdict = rows.text(i, 13);
    }
    run.finished = rows.flag(i, 14);
    run.interrupted = rows.flag(i, 15);
    run.workloads = rows.integer(i, 16);
    run.processes = rows.integer(i, 17);
    run.pairs = rows.integer(i, 18);
    run.source = rows.text(i, 19);
    if (!rows.is_null(i, 20)) {
      run.shard =
          Shard{static_cast<int>(rows.integer(i, 20)), static_cast<int>(rows.integer(i, 21))};
    }
  }
  return runs;
}

}  // namespace perf::hub

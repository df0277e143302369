#include "schema/run_list.h"

#include <algorithm>
#include <optional>

#include "schema/glob.h"
#include "schema/store/records.h"
#include "schema/store/store_impl.h"
#include "schema/store/stored_values.h"
#include "schema/store/transaction.h"

namespace perf::store {
namespace {

/// How one run's row becomes an entry; what is counted comes after, for the runs shown only.
constexpr const char* kEntries =
    "SELECT run.key, run.id, CASE WHEN imported.run IS NULL THEN run.purpose ELSE 'import' END, "
    "run.started_at, run.size, run.tool_version, b.oid, ifnull(run.base_name, ''), "
    "ifnull(b.subject, ''), "
    "ifnull(run.base_dirty, 0), h.oid, run.head_name, h.subject, run.head_dirty, report.verdict, "
    "report.run IS NOT NULL OR imported.run IS NOT NULL OR ifnull(visit.role, '') = 'visit', "
    "ifnull(report.interrupted, 0), ifnull(imported.source, '') FROM run "
    "JOIN revision AS h ON h.key = run.head LEFT JOIN revision AS b ON b.key = run.base "
    "LEFT JOIN report ON report.run = run.key LEFT JOIN imported ON imported.run = run.key "
    "LEFT JOIN bisection_run AS visit ON visit.run = run.key ";

/// Of them those at the revision ?1, on either side.
constexpr const char* kAtRevision =
    "WHERE run.head = (SELECT key FROM revision WHERE oid = ?1) "
    "OR run.base = (SELECT key FROM revision WHERE oid = ?1)";

struct KeyedRun {
  std::int64_t key = 0;
  ListedRun run;
};

KeyedRun read_entry(Statement& rows) {
  KeyedRun keyed;
  ListedRun& run = keyed.run;
  std::optional<std::string> base;
  ListedCommit of_base;
  rows.read(keyed.key, run.id, run.kind, run.started_at, run.size, run.tool_version, base,
            of_base.name, of_base.subject, of_base.dirty, run.head.oid, run.head.name,
            run.head.subject, run.head.dirty, run.verdict, run.finished, run.interrupted,
            run.source);
  require_run_id(run.id);
  require_oid(run.head.oid);
  if (base) {
    require_oid(*base);
    of_base.oid = *base;
    run.base = of_base;
  }
  return keyed;
}

void count(Connection& connection, KeyedRun& keyed) {
  ListedRun& run = keyed.run;
  run.workloads =
      connection
          .value<std::int64_t>(
              "SELECT count(*) FROM run_workload WHERE run = ?1 AND control_of = ''", keyed.key)
          .value_or(0);
  Statement rows = connection.query(
      "SELECT count(*), ifnull(sum(side = 'head' AND paired AND failure = '' AND NOT counted "
      "AND layout_seed = 0 AND workload NOT IN (SELECT workload FROM run_workload WHERE run = ?1 "
      "AND control_of <> '')), 0) FROM invocation WHERE run = ?1",
      keyed.key);
  rows.next();
  rows.read(run.processes, run.pairs);
}

bool has_workload(Connection& connection, std::int64_t run, const std::vector<std::string>& globs) {
  const auto names = connection.values<std::string>(
      "SELECT w.name FROM run_workload AS p JOIN workload AS w ON w.key = p.workload "
      "WHERE p.run = ?1 AND p.control_of = ''",
      run);
  return std::any_of(names.begin(), names.end(), [&globs](const std::string& name) {
    return std::any_of(globs.begin(), globs.end(),
                       [&name](const std::string& glob) { return glob_match(glob, name); });
  });
}

std::vector<KeyedRun> read_entries(Statement rows) {
  std::vector<KeyedRun> entries;
  while (rows.next()) {
    entries.push_back(read_entry(rows));
  }
  return entries;
}

std::vector<ListedRun> counted(Connection& connection, std::vector<KeyedRun> entries) {
  std::vector<ListedRun> runs;
  for (KeyedRun& entry : entries) {
    count(connection, entry);
    runs.push_back(std::move(entry.run));
  }
  return runs;
}

}  // namespace
}  // namespace perf::store

namespace perf {

std::vector<ListedRun> Store::list_runs(std::int64_t limit,
                                        const std::vector<std::string>& globs) const {
  store::Connection& connection = impl_->connection;
  const store::ReadTransaction transaction(connection);
  std::vector<store::KeyedRun> entries;
  {
    // Reads only as many runs as it takes.
    store::Statement rows =
        connection.query(std::string(store::kEntries) + "ORDER BY run.key DESC LIMIT ?1",
                         globs.empty() ? limit : -1);
    while ((limit < 0 || static_cast<std::int64_t>(entries.size()) < limit) && rows.next()) {
      store::KeyedRun entry = store::read_entry(rows);
      if (globs.empty() || store::has_workload(connection, entry.key, globs)) {
        entries.push_back(std::move(entry));
      }
    }
  }
  return store::counted(connection, std::move(entries));
}

ListedRun Store::listed_run(const std::string& run_id) const {
  store::Connection& connection = impl_->connection;
  const store::ReadTransaction transaction(connection);
  const std::int64_t run = store::find_run(connection, run_id);
  return store::counted(connection,
                        store::read_entries(connection.query(
                            std::string(store::kEntries) + "WHERE run.key = ?1", run)))
      .front();
}

std::vector<ListedRun> Store::listed_runs_at(const std::string& oid, std::int64_t limit) const {
  store::Connection& connection = impl_->connection;
  const store::ReadTransaction transaction(connection);
  return store::counted(
      connection,
      store::read_entries(connection.query(
          std::string(store::kEntries) + store::kAtRevision + " ORDER BY run.key DESC LIMIT ?2",
          oid, limit)));
}

std::vector<std::string> Store::sizes_at(const std::string& oid) const {
  return impl_->connection.values<std::string>(
      "SELECT DISTINCT size FROM run " + std::string(store::kAtRevision) + " ORDER BY size", oid);
}

std::vector<std::string> Store::run_ids(const std::string& prefix, std::int64_t limit) const {
  return impl_->connection.values<std::string>(
      "SELECT id FROM run WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2", prefix,
      limit);
}

std::optional<std::string> Store::latest_comparison() const {
  return impl_->connection.value<std::string>(
      "SELECT run.id FROM run JOIN report ON report.run = run.key WHERE run.purpose = 'compare' "
      "ORDER BY run.key DESC LIMIT 1");
}

std::int64_t Store::count_runs() const {
  return impl_->connection.value<std::int64_t>("SELECT count(*) FROM run").value_or(0);
}

std::vector<ListedRun> Store::runs(std::int64_t limit) const {
  std::vector<ListedRun> runs;
  for (store::KeyedRun& entry : store::read_entries(impl_->connection.query(
           std::string(store::kEntries) + "ORDER BY run.key DESC LIMIT ?1", limit))) {
    runs.push_back(std::move(entry.run));
  }
  return runs;
}

}  // namespace perf

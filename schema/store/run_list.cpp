#include "schema/store/run_list.h"

#include <algorithm>
#include <optional>

#include "schema/glob.h"
#include "schema/store/records.h"
#include "schema/store/stored_values.h"

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
  Statement rows = connection.query(
      "SELECT w.name FROM run_workload AS p JOIN workload AS w ON w.key = p.workload "
      "WHERE p.run = ?1 AND p.control_of = ''",
      run);
  for (std::string name; rows.next();) {
    rows.read(name);
    if (std::any_of(globs.begin(), globs.end(),
                    [&name](const std::string& glob) { return glob_match(glob, name); })) {
      return true;
    }
  }
  return false;
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

std::vector<ListedRun> list_runs(Connection& connection, std::int64_t limit,
                                 const std::vector<std::string>& globs) {
  std::vector<KeyedRun> entries;
  {
    Statement rows = connection.query(std::string(kEntries) + "ORDER BY run.key DESC LIMIT ?1",
                                      globs.empty() ? limit : -1);
    while ((limit < 0 || static_cast<std::int64_t>(entries.size()) < limit) && rows.next()) {
      KeyedRun entry = read_entry(rows);
      if (globs.empty() || has_workload(connection, entry.key, globs)) {
        entries.push_back(std::move(entry));
      }
    }
  }
  return counted(connection, std::move(entries));
}

ListedRun listed_run(Connection& connection, const std::string& id) {
  const std::int64_t run = find_run(connection, id);
  std::vector<KeyedRun> entries;
  {
    Statement rows = connection.query(std::string(kEntries) + "WHERE run.key = ?1", run);
    rows.next();
    entries.push_back(read_entry(rows));
  }
  return counted(connection, std::move(entries)).front();
}

std::vector<ListedRun> listed_runs_at(Connection& connection, const std::string& oid,
                                      std::int64_t limit) {
  std::vector<KeyedRun> entries;
  {
    Statement rows = connection.query(
        kEntries + std::string(kAtRevision) + " ORDER BY run.key DESC LIMIT ?2", oid, limit);
    while (rows.next()) {
      entries.push_back(read_entry(rows));
    }
  }
  return counted(connection, std::move(entries));
}

std::vector<std::string> sizes_at(Connection& connection, const std::string& oid) {
  std::vector<std::string> sizes;
  Statement rows = connection.query(
      "SELECT DISTINCT size FROM run " + std::string(kAtRevision) + " ORDER BY size", oid);
  while (rows.next()) {
    rows.read(sizes.emplace_back());
  }
  return sizes;
}

std::vector<std::string> run_ids(Connection& connection, const std::string& prefix,
                                 std::int64_t limit) {
  std::vector<std::string> ids;
  Statement rows = connection.query(
      "SELECT id FROM run WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2", prefix,
      limit);
  while (rows.next()) {
    rows.read(ids.emplace_back());
  }
  return ids;
}

}  // namespace perf::store

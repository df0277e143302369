#include "schema/run_list.h"

#include <algorithm>
#include <optional>

#include "schema/store/internal.h"
#include "schema/text/glob.h"

namespace perf {
namespace {

/// What is counted of a run; to count costs more than all the rest.
constexpr const char* kCounts =
    "(SELECT count(*) FROM run_workload WHERE run = run.key AND control_of = ''), "
    "(SELECT count(*) FROM invocation WHERE run = run.key), "
    "(SELECT count(*) FROM invocation AS i WHERE i.run = run.key AND i.side = 'head' AND i.paired "
    "AND i.failure = '' AND NOT i.counted AND NOT i.traced AND i.layout_seed = 0 "
    "AND i.workload NOT IN (SELECT workload FROM run_workload WHERE run = run.key AND control_of "
    "<> ''))";
constexpr const char* kUncounted = "0, 0, 0";

constexpr const char* kEntries =
    ", run.id, CASE WHEN imported.run IS NULL THEN run.purpose ELSE 'import' END, "
    "run.started_at, run.size, run.tool_version, b.oid, ifnull(run.base_name, ''), "
    "ifnull(b.subject, ''), "
    "ifnull(run.base_dirty, 0), h.oid, run.head_name, h.subject, run.head_dirty, report.verdict, "
    "report.run IS NOT NULL OR imported.run IS NOT NULL OR ratchet.run IS NOT NULL OR "
    "ifnull(visit.role, '') = 'visit', "
    "ifnull(report.interrupted, 0), ifnull(imported.source, ''), "
    "run.shard, run.shards FROM run "
    "JOIN revision AS h ON h.key = run.head LEFT JOIN revision AS b ON b.key = run.base "
    "LEFT JOIN report ON report.run = run.key LEFT JOIN imported ON imported.run = run.key "
    "LEFT JOIN bisection_run AS visit ON visit.run = run.key "
    "LEFT JOIN ratchet_end AS ratchet ON ratchet.run = run.key ";

/// Of them those at the revision ?1, on either side.
constexpr const char* kAtRevision =
    "WHERE run.head = (SELECT key FROM revision WHERE oid = ?1) "
    "OR run.base = (SELECT key FROM revision WHERE oid = ?1)";

/// The runs that `which` leaves, as ?1 and so on are given.
template <class... Values>
std::vector<ListedRun> entries(store::Connection& connection, const char* counts,
                               const std::string& which, const Values&... values) {
  const auto read = [](store::Statement& row, ListedRun& run) {
    std::optional<std::string> base;
    std::optional<int> shard, shards;
    ListedCommit of_base;
    std::string kind;
    row.read(run.workloads, run.processes, run.pairs, run.id, kind, run.started_at, run.size,
             run.tool_version, base, of_base.name, of_base.subject, of_base.dirty, run.head.oid,
             run.head.name, run.head.subject, run.head.dirty, run.verdict, run.finished,
             run.interrupted, run.source, shard, shards);
    run.kind = named<RunKind>(kind).value_or(RunKind::compare);
    if (shard && shards) {
      run.shard = Shard{*shard, *shards};
    }
    store::require_run_id(run.id);
    store::require_oid(run.head.oid);
    if (base) {
      store::require_oid(*base);
      of_base.oid = *base;
      run.base = of_base;
    }
  };
  return connection.records<ListedRun>("SELECT " + std::string(counts) + kEntries + which, read,
                                       values...);
}

/// The names of workloads that one of the globs matches, as a list in JSON.
std::string names_like(store::Connection& connection, const std::vector<std::string>& globs) {
  auto names = connection.values<std::string>("SELECT DISTINCT name FROM workload");
  std::erase_if(names, [&globs](const std::string& name) { return !is_chosen(globs, name); });
  return store::text_of(names);
}

}  // namespace

std::vector<ListedRun> store::load_runs(store::Connection& connection) {
  return entries(connection, kCounts, "ORDER BY run.key DESC");
}

std::vector<ListedRun> Store::list_runs(std::int64_t limit,
                                        const std::vector<std::string>& globs) const {
  const store::ReadTransaction transaction(*connection_);
  return globs.empty()
             ? entries(*connection_, kCounts, "ORDER BY run.key DESC LIMIT ?1", limit)
             : entries(*connection_, kCounts,
                       "WHERE EXISTS (SELECT 1 FROM run_workload AS p JOIN workload AS w "
                       "ON w.key = p.workload WHERE p.run = run.key AND p.control_of = '' "
                       "AND w.name IN (SELECT value FROM json_each(?2))) "
                       "ORDER BY run.key DESC LIMIT ?1",
                       limit, names_like(*connection_, globs));
}

ListedRun Store::listed_run(const std::string& run_id) const {
  const store::ReadTransaction transaction(*connection_);
  const std::int64_t run = store::find_run(*connection_, run_id);
  return entries(*connection_, kCounts, "WHERE run.key = ?1", run).front();
}

std::string Store::started_at(const std::string& run_id) const {
  return *connection_->value<std::string>("SELECT started_at FROM run WHERE key = ?1",
                                          store::find_run(*connection_, run_id));
}

std::vector<ListedRun> Store::listed_runs_at(const std::string& oid, std::int64_t limit) const {
  return entries(*connection_, kCounts,
                 std::string(kAtRevision) + " ORDER BY run.key DESC LIMIT ?2", oid, limit);
}

std::vector<ListedRun> Store::runs(std::int64_t limit) const {
  return entries(*connection_, kUncounted, "ORDER BY run.key DESC LIMIT ?1", limit);
}

std::vector<std::string> Store::sizes_at(const std::string& oid) const {
  return connection_->values<std::string>(
      "SELECT DISTINCT size FROM run " + std::string(kAtRevision) + " ORDER BY size", oid);
}

std::vector<std::string> Store::run_ids(const std::string& prefix, std::int64_t limit) const {
  return connection_->values<std::string>(
      "SELECT id FROM run WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2", prefix,
      limit);
}

std::optional<std::string> Store::latest_comparison() const {
  return connection_->value<std::string>(
      "SELECT run.id FROM run JOIN report ON report.run = run.key WHERE run.purpose = 'compare' "
      "ORDER BY run.key DESC LIMIT 1");
}

std::vector<std::string> Store::comparisons_at(const std::string& oid,
                                               const std::string& fingerprint,
                                               const std::string& size, std::int64_t limit) const {
  return connection_->values<std::string>(
      "SELECT run.id FROM run JOIN report ON report.run = run.key "
      "JOIN revision AS r ON r.key IN (run.base, run.head) "
      "JOIN environment AS e ON e.key = run.environment "
      "WHERE run.purpose = 'compare' AND r.oid = ?1 AND e.fingerprint = ?2 AND run.size = ?3 "
      "ORDER BY run.key DESC LIMIT ?4",
      oid, fingerprint, size, limit);
}

AuditRecord Store::audit_record() const {
  AuditRecord record;
  store::Statement rows = connection_->query(
      "SELECT count(*), ifnull(sum(a.value ->> '$.alarmed'), 0) FROM report, "
      "json_each(report.result, '$.audits') AS a WHERE EXISTS (SELECT 1 FROM run_workload AS p "
      "WHERE p.run = report.run AND p.audited)");
  if (rows.next()) {
    rows.read(record.audits, record.alarmed);
  }
  return record;
}

std::int64_t Store::count_runs() const {
  return connection_->count("SELECT count(*) FROM run");
}

}  // namespace perf

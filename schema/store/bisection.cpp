#include "schema/bisection.h"

#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

/// What is shared by all that agree: `workload` is the row of the key's workload.
std::optional<StoredBisection> find_bisection(Connection& connection, const BisectionKey& key,
                                              std::int64_t workload) {
  Statement rows = connection.query(
      "SELECT id, seed FROM bisection WHERE good = ?1 AND bad = ?2 AND workload = ?3 "
      "AND metric = ?4 AND size = ?5 AND fingerprint = ?6 AND (?7 IS NULL OR seed = ?7) "
      "ORDER BY key DESC LIMIT 1",
      key.good, key.bad, workload, key.metric, key.size, key.fingerprint, key.seed);
  if (!rows.next()) {
    return std::nullopt;
  }
  StoredBisection found;
  rows.read(found.id, found.seed);
  return found;
}

std::vector<BisectionRun> runs_of(Connection& connection, const std::string& bisection) {
  return connection.records<BisectionRun>(
      "SELECT run.id, b.role = 'last', report.run IS NOT NULL, base.oid, head.oid, w.head_failed "
      "FROM bisection JOIN bisection_run AS b ON b.bisection = bisection.key "
      "JOIN run ON run.key = b.run "
      "JOIN revision AS base ON base.key = run.base JOIN revision AS head ON head.key = run.head "
      "JOIN run_workload AS w ON w.run = run.key AND w.idx = 0 "
      "LEFT JOIN report ON report.run = run.key WHERE bisection.id = ?1 ORDER BY run.key",
      [](Statement& row, BisectionRun& run) {
        row.read(run.run_id, run.last, run.reported, run.base, run.head, run.head_failed);
      },
      bisection);
}

}  // namespace
}  // namespace perf::store

namespace perf {

StoredBisection Store::open_bisection(const BisectionKey& key, const std::string& id,
                                      std::uint64_t seed) {
  store::WriteTransaction transaction(*connection_);
  const std::int64_t workload = store::intern_workload(*connection_, key.workload);
  if (auto found = store::find_bisection(*connection_, key, workload)) {
    found->runs = store::runs_of(*connection_, found->id);
    transaction.commit();
    return *found;
  }
  connection_->run(
      "INSERT INTO bisection (id, started_at, good, bad, workload, metric, size, fingerprint, "
      "seed) "
      "VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      id, key.good, key.bad, workload, key.metric, key.size, key.fingerprint, seed);
  transaction.commit();
  return {id, seed, {}};
}

void Store::add_to_bisection(const std::string& bisection_id, const std::string& run_id,
                             bool last) {
  store::WriteTransaction transaction(*connection_);
  const auto bisection =
      connection_->value<std::int64_t>("SELECT key FROM bisection WHERE id = ?1", bisection_id);
  if (!bisection) {
    throw Error("no such bisection in the store " + connection_->file(), bisection_id,
                "report this bug, with the command line");
  }
  connection_->add_row("bisection_run (run, bisection, role)",
                       store::find_run(*connection_, run_id), *bisection, last ? "last" : "visit");
  transaction.commit();
}

}  // namespace perf

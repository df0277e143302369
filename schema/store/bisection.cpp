#include "schema/bisection.h"

#include "schema/error.h"
#include "schema/store/records.h"
#include "schema/store/store_impl.h"
#include "schema/store/transaction.h"

namespace perf::store {
namespace {

struct Keyed {
  std::int64_t key = 0;
  StoredBisection bisection;
};

/// What is shared by all that agree: `workload` is the row of the key's workload.
std::optional<Keyed> find_bisection(Connection& connection, const BisectionKey& key,
                                    std::int64_t workload) {
  Statement rows = connection.query(
      "SELECT key, id, seed FROM bisection WHERE good = ?1 AND bad = ?2 AND workload = ?3 "
      "AND metric = ?4 AND size = ?5 AND fingerprint = ?6 AND (?7 IS NULL OR seed = ?7) "
      "ORDER BY key DESC LIMIT 1",
      key.good, key.bad, workload, key.metric, key.size, key.fingerprint, key.seed);
  if (!rows.next()) {
    return std::nullopt;
  }
  Keyed found;
  rows.read(found.key, found.bisection.id, found.bisection.seed);
  return found;
}

std::vector<BisectionRun> runs_of(Connection& connection, std::int64_t bisection) {
  std::vector<BisectionRun> found;
  Statement rows = connection.query(
      "SELECT run.id, b.role = 'last', report.run IS NOT NULL, base.oid, head.oid, w.head_failed "
      "FROM bisection_run AS b JOIN run ON run.key = b.run "
      "JOIN revision AS base ON base.key = run.base JOIN revision AS head ON head.key = run.head "
      "JOIN run_workload AS w ON w.run = run.key AND w.idx = 0 "
      "LEFT JOIN report ON report.run = run.key WHERE b.bisection = ?1 ORDER BY run.key",
      bisection);
  while (rows.next()) {
    BisectionRun& run = found.emplace_back();
    rows.read(run.run_id, run.last, run.reported, run.base, run.head, run.head_failed);
  }
  return found;
}

}  // namespace
}  // namespace perf::store

namespace perf {

StoredBisection Store::open_bisection(const BisectionKey& key, const std::string& id,
                                      std::uint64_t seed) {
  store::Connection& connection = impl_->connection;
  store::WriteTransaction transaction(connection);
  const std::int64_t workload = store::intern_workload(connection, key.workload);
  if (std::optional<store::Keyed> found = store::find_bisection(connection, key, workload)) {
    found->bisection.runs = store::runs_of(connection, found->key);
    transaction.commit();
    return std::move(found->bisection);
  }
  connection.run(
      "INSERT INTO bisection (id, started_at, good, bad, workload, metric, size, fingerprint, "
      "seed) "
      "VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      id, key.good, key.bad, workload, key.metric, key.size, key.fingerprint, seed);
  transaction.commit();
  return {id, seed, {}};
}

void Store::add_to_bisection(const std::string& bisection_id, const std::string& run_id,
                             bool last) {
  store::Connection& connection = impl_->connection;
  store::WriteTransaction transaction(connection);
  const auto bisection =
      connection.value<std::int64_t>("SELECT key FROM bisection WHERE id = ?1", bisection_id);
  if (!bisection) {
    throw Error("there is no such bisection in the store " + connection.file(), bisection_id,
                "report it, with the command line");
  }
  connection.add_row("bisection_run (run, bisection, role)", store::find_run(connection, run_id),
                     *bisection, last ? "last" : "visit");
  transaction.commit();
}

}  // namespace perf

#include "schema/store/internal.h"

// Evidence is what was measured to compare revisions or to keep their history, of the same workload
// (its timeout aside), parameters and size, in an invocation that ended well; nothing relinked,
// counted or looking, no control arm, and nothing of a calibration, a self-test or a bisection.

namespace perf {
namespace {

/// Workloads at a commit, a row for each that was measured there so often, or failed: of the
/// commits ?1, a list in JSON, at the size ?2, under the fingerprint ?3.
///
/// What is counted are pairs with the anchor ?4, or, where that is empty, invocations.
constexpr const char* kMeasured =
    "WITH of_run AS (SELECT run.key AS run, run.purpose = 'collect' AS collected, h.oid AS head, "
    "run.head_dirty, b.oid AS base, run.base_dirty FROM run "
    "JOIN environment AS e ON e.key = run.environment JOIN revision AS h ON h.key = run.head "
    "LEFT JOIN revision AS b ON b.key = run.base "
    "WHERE run.size = ?2 AND e.fingerprint = ?3 AND run.purpose IN ('compare', 'collect')), "
    // The snapshot of a modified tree is at no commit.
    "side AS (SELECT run, 'head' AS side, head AS oid FROM of_run WHERE NOT head_dirty "
    "AND (?4 = '' OR (collected AND base = ?4 AND NOT base_dirty)) "
    "UNION ALL SELECT run, 'base', base FROM of_run WHERE NOT base_dirty AND ?4 = ''), "
    "here AS (SELECT * FROM side WHERE oid IN (SELECT value FROM json_each(?1))), "
    "timed AS (SELECT s.oid, i.run, i.workload, i.side, i.pair, i.attempt, i.failure "
    "FROM here AS s JOIN invocation AS i ON i.run = s.run "
    "WHERE i.layout_seed = 0 AND i.counted = 0 AND i.traced = 0 "
    "AND NOT EXISTS (SELECT 1 FROM run_workload AS p WHERE p.run = i.run AND p.workload = "
    "i.workload AND p.control_of <> '') "
    "AND CASE WHEN ?4 = '' THEN i.side = s.side ELSE i.paired END), "
    "measured AS ("
    // It did not build, or does not run.
    "SELECT s.oid, p.workload, 0 AS good, 1 AS failed FROM here AS s "
    "JOIN run_workload AS p ON p.run = s.run "
    "WHERE s.side = 'head' AND p.head_failed <> '' AND p.control_of = '' "
    "UNION ALL SELECT oid, workload, failure = '', failure <> '' FROM timed WHERE ?4 = '' "
    // A pair is two invocations of one attempt; a failure on either side spoils it.
    "UNION ALL SELECT oid, workload, "
    "count(DISTINCT CASE WHEN failure = '' THEN side END) = 2, sum(failure <> '') > 0 "
    "FROM timed WHERE ?4 <> '' GROUP BY oid, run, workload, pair, attempt) "
    "SELECT m.oid, w.name, w.params, w.outside, sum(m.good), sum(m.failed) FROM measured AS m "
    "JOIN workload AS w ON w.key = m.workload GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4";

/// Whether invocations `x` and `y` are the sides of a pair that counts.
constexpr const char* kIsGoodPair =
    "x.side = 'base' AND y.side = 'head' AND x.paired AND y.paired "
    "AND x.failure = '' AND y.failure = '' AND x.layout_seed = 0 AND y.layout_seed = 0 "
    "AND x.counted = 0 AND y.counted = 0 AND x.traced = 0 AND y.traced = 0 ";

/// The rows of a workload, whatever its timeout: a list in JSON.
std::string rows_of_workload(store::Connection& connection, const Workload& one) {
  return store::text_of(connection.values<std::int64_t>(
      "SELECT key FROM workload WHERE name = ?1 AND params = ?2 AND command = ?3 AND format = ?4 "
      "AND outside = ?5 AND needs = ?6",
      one.name, store::text_of(one.params), store::text_of(one.command), one.format, one.outside,
      store::needs_of(one)));
}

}  // namespace

std::vector<RunOfPairs> Store::runs_of_pairs(const std::string& base_oid,
                                             const std::string& head_oid, const Workload& workload,
                                             const std::string& size) const {
  return connection_->records<RunOfPairs>(
      "SELECT run.id, count(DISTINCT x.pair) FROM run JOIN revision AS b ON b.key = run.base "
      "JOIN revision AS h ON h.key = run.head JOIN run_workload AS p ON p.run = run.key "
      "JOIN invocation AS x ON x.run = run.key AND x.workload = p.workload "
      "JOIN invocation AS y ON y.run = x.run AND y.pair = x.pair "
      "AND y.attempt = x.attempt AND y.workload = x.workload "
      "WHERE b.oid = ?1 AND h.oid = ?2 AND p.workload IN (SELECT value FROM json_each(?3)) "
      "AND run.size = ?4 AND run.purpose = 'compare' AND p.control_of = '' "
      "AND p.base_workload IS NULL AND " +
          std::string(kIsGoodPair) + "GROUP BY run.key ORDER BY run.key DESC",
      [](store::Statement& row, RunOfPairs& run) { row.read(run.id, run.pairs); }, base_oid,
      head_oid, rows_of_workload(*connection_, workload), size);
}

std::vector<RunOfPairs> Store::runs_of_slow_pairs(const Workload& base, const Workload& head,
                                                  const std::string& size,
                                                  const std::string& fingerprint,
                                                  double seconds) const {
  return connection_->records<RunOfPairs>(
      "SELECT run.id, count(DISTINCT x.pair) FROM run JOIN environment AS e ON e.key = "
      "run.environment JOIN report ON report.run = run.key "
      "JOIN run_workload AS p ON p.run = run.key JOIN invocation AS x ON x.run = run.key "
      "AND x.workload = ifnull(p.base_workload, p.workload) JOIN invocation AS y "
      "ON y.run = run.key AND y.workload = p.workload AND y.pair = x.pair AND y.attempt = "
      "x.attempt "
      "WHERE ifnull(p.base_workload, p.workload) IN (SELECT value FROM json_each(?1)) "
      "AND p.workload IN (SELECT value FROM json_each(?2)) AND run.size = ?3 "
      "AND e.fingerprint = ?4 AND run.purpose = 'compare' AND p.control_of = '' "
      "AND NOT report.interrupted AND NOT EXISTS (SELECT 1 FROM imported WHERE run = run.key) "
      "AND " +
          std::string(kIsGoodPair) +
          "GROUP BY run.key HAVING count(DISTINCT x.pair) >= 4 AND avg(x.wall + y.wall) >= ?5 "
          "ORDER BY run.key DESC LIMIT 50",
      [](store::Statement& row, RunOfPairs& run) { row.read(run.id, run.pairs); },
      rows_of_workload(*connection_, base), rows_of_workload(*connection_, head), size, fingerprint,
      seconds);
}

// Runs that failed to measure it count as well: `judge` says so.
std::vector<std::string> Store::runs_at(const std::string& oid, const Workload& workload,
                                        const std::string& size, std::int64_t limit) const {
  return connection_->values<std::string>(
      "WITH wanted AS (SELECT value FROM json_each(?2)) "
      "SELECT run.id FROM run JOIN revision AS r ON r.key IN (run.base, run.head) "
      "WHERE r.oid = ?1 AND run.size = ?3 AND run.purpose IN ('compare', 'collect') AND (EXISTS ("
      "SELECT 1 FROM invocation AS i WHERE i.run = run.key AND i.revision = r.key "
      "AND i.workload IN wanted AND i.layout_seed = 0 AND i.counted = 0 AND i.traced = 0 "
      "AND NOT EXISTS (SELECT 1 FROM run_workload AS p "
      "WHERE p.run = run.key AND p.workload = i.workload AND p.control_of <> '')) OR EXISTS ("
      "SELECT 1 FROM run_workload AS p WHERE p.run = run.key AND r.key = run.head "
      "AND p.workload IN wanted AND p.head_failed <> '' AND p.control_of = '')) "
      "ORDER BY run.key DESC LIMIT ?4",
      oid, rows_of_workload(*connection_, workload), size, limit);
}

bool Store::knows_other_benchmark(const Workload& workload) const {
  return connection_
      ->value<bool>(
          "SELECT count(*) > 0 AND total(outside = ?3) = 0 FROM workload WHERE name = ?1 "
          "AND params = ?2",
          workload.name, store::text_of(workload.params), workload.outside)
      .value_or(false);
}

std::vector<MeasuredAt> Store::measured_at(const std::vector<std::string>& oids,
                                           const std::string& size, const std::string& fingerprint,
                                           const std::string& anchor) const {
  const auto read = [](store::Statement& row, MeasuredAt& measured) {
    std::string params;
    row.read(measured.oid, measured.workload.name, params, measured.workload.outside,
             measured.invocations, measured.failures);
    measured.workload.params = store::value_of<Params>(params);
  };
  return connection_->records<MeasuredAt>(kMeasured, read, store::text_of(oids), size, fingerprint,
                                          anchor);
}

std::vector<ProgramAt> Store::programs_at(const std::vector<std::string>& oids,
                                          const std::string& size) const {
  return store::load_programs(*connection_,
                              "run.size = ?2 AND h.oid IN (SELECT value FROM json_each(?1))",
                              store::text_of(oids), size);
}

}  // namespace perf

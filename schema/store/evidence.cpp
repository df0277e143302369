#include "schema/store/store_impl.h"
#include "schema/store/stored_json.h"

namespace perf {
// Evidence is what was measured to compare revisions or to keep their history, of the same workload
// (its timeout aside), parameters and size, in an invocation that ended well; nothing relinked or
// counted, no control arm, and nothing of a calibration, a self-test or a bisection.

std::vector<RunOfPairs> Store::runs_of_pairs(const std::string& base_oid,
                                             const std::string& head_oid, const Workload& workload,
                                             const std::string& size) const {
  store::Statement rows = impl_->connection.query(
      "SELECT run.id, count(DISTINCT x.pair) FROM run JOIN revision AS b ON b.key = run.base "
      "JOIN revision AS h ON h.key = run.head "
      "JOIN run_workload AS p ON p.run = run.key JOIN workload AS w ON w.key = p.workload "
      "JOIN invocation AS x ON x.run = run.key AND x.workload = w.key "
      "JOIN invocation AS y ON y.run = x.run AND y.pair = x.pair "
      "AND y.attempt = x.attempt AND y.workload = x.workload "
      "WHERE b.oid = ?1 AND h.oid = ?2 AND w.name = ?3 AND w.params = ?4 AND w.command = ?5 "
      "AND w.format = ?6 AND run.size = ?7 AND run.purpose = 'compare' AND p.control_of = '' "
      "AND p.base_workload IS NULL "
      "AND x.side = 'base' AND y.side = 'head' AND x.paired AND y.paired "
      "AND x.failure = '' AND y.failure = '' AND x.layout_seed = 0 AND y.layout_seed = 0 "
      "AND x.counted = 0 AND y.counted = 0 GROUP BY run.key ORDER BY run.key DESC",
      base_oid, head_oid, workload.name, store::text_of(workload.params),
      store::text_of(workload.command), workload.format, size);
  std::vector<RunOfPairs> found;
  while (rows.next()) {
    RunOfPairs& run = found.emplace_back();
    rows.read(run.id, run.pairs);
  }
  return found;
}

std::vector<std::string> Store::runs_at(const std::string& oid, const Workload& workload,
                                        const std::string& size, std::int64_t limit) const {
  return impl_->connection.values<std::string>(
      "SELECT run.id FROM run JOIN revision AS r ON r.key IN (run.base, run.head) "
      "WHERE r.oid = ?1 AND run.size = ?6 AND run.purpose IN ('compare', 'collect') AND EXISTS ("
      "SELECT 1 FROM invocation AS i JOIN workload AS w ON w.key = i.workload "
      "WHERE i.run = run.key AND i.revision = r.key AND w.name = ?2 AND w.params = ?3 "
      "AND w.command = ?4 AND w.format = ?5 AND i.failure = '' AND i.layout_seed = 0 "
      "AND i.counted = 0 AND NOT EXISTS (SELECT 1 FROM run_workload AS p WHERE p.run = run.key "
      "AND p.workload = i.workload AND p.control_of <> '')) ORDER BY run.key DESC LIMIT ?7",
      oid, workload.name, store::text_of(workload.params), store::text_of(workload.command),
      workload.format, size, limit);
}

}  // namespace perf

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "schema/store/recorded_history.h"
#include "schema/store/stored_json.h"

namespace perf::store {
namespace {

struct RunOfInterest {
  std::int64_t key = 0;
  std::optional<std::string> base, head;  ///< oids whose invocations count; else absent
};

using Place = std::tuple<std::string, std::string, std::string>;  // oid, name, params
using Counts = std::map<Place, std::pair<int, int>>;              // good, failed

std::vector<RunOfInterest> runs_of_interest(Connection& connection,
                                            const std::set<std::string>& oids,
                                            const std::string& size, const std::string& fingerprint,
                                            const std::string& anchor) {
  std::vector<RunOfInterest> found;
  Statement rows = connection.query(
      "SELECT run.key, b.oid, ifnull(run.base_dirty, 0), h.oid, run.head_dirty, "
      "run.purpose = 'collect' FROM run JOIN environment AS e ON e.key = run.environment "
      "JOIN revision AS h ON h.key = run.head LEFT JOIN revision AS b ON b.key = run.base "
      "WHERE run.size = ?1 AND e.fingerprint = ?2 AND run.purpose IN ('compare', 'collect') "
      "ORDER BY run.key",
      size, fingerprint);
  RunOfInterest run;
  bool base_dirty = false, head_dirty = false, collected = false;
  while (rows.next()) {
    rows.read(run.key, run.base, base_dirty, run.head, head_dirty, collected);
    const bool other_anchor = !collected || run.base != anchor || base_dirty;
    if (!anchor.empty() && other_anchor) {
      continue;
    }
    if (!anchor.empty() || base_dirty || (run.base && oids.count(*run.base) == 0)) {
      run.base.reset();
    }
    if (head_dirty || oids.count(*run.head) == 0) {
      run.head.reset();
    }
    if (run.base || run.head) {
      found.push_back(run);
    }
  }
  return found;
}

void count_unbuilt(Connection& connection, const RunOfInterest& run, Counts& counts) {
  if (!run.head) {
    return;
  }
  Statement rows = connection.query(
      "SELECT w.name, w.params FROM run_workload AS p JOIN workload AS w ON w.key = p.workload "
      "WHERE p.run = ?1 AND p.head_failed <> '' AND p.control_of = ''",
      run.key);
  for (std::string name, params; rows.next();) {
    rows.read(name, params);
    ++counts[{*run.head, name, params}].second;
  }
}

constexpr char kTimedAsAskedFor[] =
    "i.layout_seed = 0 AND i.counted = 0 AND NOT EXISTS (SELECT 1 FROM run_workload AS p "
    "WHERE p.run = i.run AND p.workload = i.workload AND p.control_of <> '')";

void count_invocations(Connection& connection, const RunOfInterest& run, Counts& counts) {
  Statement rows = connection.query(
      "SELECT i.side = 'base', w.name, w.params, sum(i.failure = ''), sum(i.failure <> '') "
      "FROM invocation AS i JOIN workload AS w ON w.key = i.workload WHERE i.run = ?1 AND " +
          std::string(kTimedAsAskedFor) + " GROUP BY 1, w.key",
      run.key);
  bool is_base = false;
  int good = 0, failed = 0;
  for (std::string name, params; rows.next();) {
    rows.read(is_base, name, params, good, failed);
    if (const auto& oid = is_base ? run.base : run.head) {
      auto& count = counts[{*oid, name, params}];
      count.first += good;
      count.second += failed;
    }
  }
}

/// A pair is two invocations of one attempt; a failure on either side spoils it.
void count_pairs(Connection& connection, const RunOfInterest& run, Counts& counts) {
  Statement rows = connection.query(
      "SELECT w.name, w.params, sum(good = 2), sum(failed > 0) FROM (SELECT i.workload, "
      "count(DISTINCT CASE WHEN i.failure = '' THEN i.side END) AS good, "
      "sum(i.failure <> '') AS failed FROM invocation AS i WHERE i.run = ?1 AND i.paired AND " +
          std::string(kTimedAsAskedFor) +
          " GROUP BY i.workload, i.pair, i.attempt) AS pairs "
          "JOIN workload AS w ON w.key = pairs.workload GROUP BY w.key",
      run.key);
  int good = 0, failed = 0;
  for (std::string name, params; rows.next();) {
    rows.read(name, params, good, failed);
    auto& count = counts[{*run.head, name, params}];
    count.first += good;
    count.second += failed;
  }
}

}  // namespace

std::vector<MeasuredAt> measured_at(Connection& connection, const std::vector<std::string>& oids,
                                    const std::string& size, const std::string& fingerprint,
                                    const std::string& anchor) {
  Counts counts;
  for (const RunOfInterest& run :
       runs_of_interest(connection, {oids.begin(), oids.end()}, size, fingerprint, anchor)) {
    count_unbuilt(connection, run, counts);
    anchor.empty() ? count_invocations(connection, run, counts)
                   : count_pairs(connection, run, counts);
  }
  std::vector<MeasuredAt> found;
  for (const auto& [place, count] : counts) {
    MeasuredAt& measured = found.emplace_back();
    measured.oid = std::get<0>(place);
    measured.workload.name = std::get<1>(place);
    measured.workload.params = value_of<Params>(std::get<2>(place));
    measured.invocations = count.first;
    measured.failures = count.second;
  }
  return found;
}

}  // namespace perf::store

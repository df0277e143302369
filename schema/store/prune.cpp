#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "schema/side_stats.h"
#include "schema/store/internal.h"

namespace perf {

using store::Connection, store::WriteTransaction;

namespace {

/// Measured commits on either side of a change whose raw steps stay.
constexpr std::int64_t kNeighbours = 3;

/// Of a step's row `s`: whether its block is more than one timed step, whose summary would take
/// more room than the step itself.
constexpr const char* kIsOfMany = "(s.warmup = 1 OR s.idx > 0)";

/// Runs that are old enough and have raw steps of blocks of many, or steps and output; `why`: ''
/// where nothing keeps them.
void list_old_runs(Connection& connection, const PruneRequest& request) {
  connection.execute(
      "CREATE TABLE temp.old_run (run INTEGER PRIMARY KEY, why TEXT NOT NULL DEFAULT '')");
  connection.run(
      "INSERT INTO temp.old_run (run) SELECT run.key FROM run WHERE run.started_at <= ?1 "
      "AND EXISTS (SELECT 1 FROM invocation AS i JOIN block AS b ON b.invocation = i.key "
      "JOIN step AS s ON s.block = b.key WHERE i.run = run.key AND (" +
          std::string(kIsOfMany) +
          " OR (i.failure = '' AND EXISTS (SELECT 1 FROM output WHERE invocation = i.key))))",
      request.until);
}

/// Those with one of these commits on either side.
void keep_at(Connection& connection, const char* why, const std::vector<std::string>& oids) {
  connection.run(
      "UPDATE temp.old_run SET why = ?1 WHERE why = '' AND run IN (SELECT run.key FROM run "
      "JOIN revision AS r ON r.key IN (run.base, run.head) "
      "WHERE r.oid IN (SELECT value FROM json_each(?2)))",
      why, store::text_of(oids));
}

/// Those of the commits beside an alert, and the comparisons that it was confirmed or refuted by.
/// The line of commits is not known here: a commit is measured as the head of a run, and beside
/// those whose first runs came just before and after.
void keep_beside_alerts(Connection& connection) {
  connection.run(
      "UPDATE temp.old_run SET why = 'change' WHERE why = '' AND run IN ("
      "WITH measured AS (SELECT a.series, r.key AS revision, r.oid, "
      "row_number() OVER (PARTITION BY a.series ORDER BY min(run.key)) AS place "
      "FROM (SELECT DISTINCT workload AS series FROM alert) AS a JOIN workload AS w "
      "ON w.name = a.series OR substr(a.series, 1, length(w.name) + 1) = w.name || '/' "
      "JOIN run_workload AS p ON p.workload = w.key JOIN run ON run.key = p.run "
      "JOIN revision AS r ON r.key = run.head WHERE run.purpose IN ('compare', 'collect') "
      "GROUP BY a.series, r.key), "
      "near AS (SELECT beside.revision FROM alert AS a JOIN measured AS changed "
      "ON changed.series = a.workload AND changed.oid IN (a.oid, a.previous_oid) "
      "JOIN measured AS beside ON beside.series = changed.series "
      "AND abs(beside.place - changed.place) <= ?1) "
      "SELECT key FROM run WHERE head IN (SELECT revision FROM near) "
      "OR base IN (SELECT revision FROM near) "
      "UNION SELECT run.key FROM alert_event AS e JOIN run ON run.id = e.run)",
      kNeighbours);
}

void summarize_blocks(Connection& connection) {
  for (const auto block : connection.values<std::int64_t>("SELECT block FROM temp.old_block")) {
    const auto timed = connection.values<double>(
        "SELECT seconds FROM step WHERE block = ?1 AND warmup = 0", block);
    // A block of nothing but warm-up has no value to sum up.
    if (const std::optional<SideStats> s = side_stats(timed)) {
      connection.run(
          "INSERT OR REPLACE INTO pruned_block (block, at, warmup, mean, stddev, min, p90, max) "
          "VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), "
          "(SELECT count(*) FROM step WHERE block = ?1 AND warmup = 1), ?2, ?3, ?4, ?5, ?6)",
          block, s->mean, s->stddev, s->min, s->p90, s->max);
    }
  }
}

void take_away(Connection& connection, PruneResult& result) {
  connection.execute(
      "CREATE TABLE temp.old_block (block INTEGER PRIMARY KEY);"
      "INSERT INTO temp.old_block SELECT b.key FROM temp.old_run AS o "
      "JOIN invocation AS i ON i.run = o.run JOIN block AS b ON b.invocation = i.key "
      "WHERE o.why = '' AND EXISTS (SELECT 1 FROM step AS s WHERE s.block = b.key AND " +
      std::string(kIsOfMany) + ");");
  summarize_blocks(connection);
  const auto rows_of = [&connection](const char* table) {
    return connection.count("SELECT count(*) FROM temp.old_block AS o JOIN " + std::string(table) +
                            " AS x ON x.block = o.block");
  };
  result.steps = rows_of("step");
  result.phases = rows_of("phase");
  connection.execute(
      "DELETE FROM phase WHERE block IN (SELECT block FROM temp.old_block);"
      "DELETE FROM step WHERE block IN (SELECT block FROM temp.old_block);"
      "DELETE FROM output WHERE invocation IN (SELECT i.key FROM temp.old_run AS o "
      "JOIN invocation AS i ON i.run = o.run WHERE o.why = '' AND i.failure = '');");
}

std::int64_t pages(Connection& connection, const char* kind) {
  return connection.count(std::string("SELECT ") + kind + " FROM pragma_" + kind);
}

void give_space_back(Connection& connection) {
  try {
    connection.execute("VACUUM");
  } catch (const Error& error) {
    throw Error("raw steps are pruned, but the file could not shrink (" + error.what + ")",
                error.subject, "free as much space as the store takes, then prune again");
  }
}

}  // namespace

PruneResult Store::prune(const PruneRequest& request) {
  Connection& connection = *connection_;
  PruneResult result;
  const std::int64_t page = pages(connection, "page_size");
  {
    WriteTransaction transaction(connection);
    result.bytes_before = pages(connection, "page_count") * page;
    list_old_runs(connection, request);
    auto pinned = connection.values<std::string>("SELECT oid FROM baseline");
    pinned.insert(pinned.end(), request.keep.begin(), request.keep.end());
    keep_at(connection, "pin", pinned);
    keep_at(connection, "change", request.changes);
    keep_beside_alerts(connection);
    result.runs = connection.count("SELECT count(*) FROM temp.old_run WHERE why = ''");
    result.kept_for_pins = connection.count("SELECT count(*) FROM temp.old_run WHERE why = 'pin'");
    result.kept_for_changes =
        connection.count("SELECT count(*) FROM temp.old_run WHERE why = 'change'");
    take_away(connection, result);
    result.bytes_after =
        (pages(connection, "page_count") - pages(connection, "freelist_count")) * page;
    connection.execute("DROP TABLE temp.old_run; DROP TABLE temp.old_block;");
    if (request.dry_run) {
      return result;
    }
    transaction.commit();
  }
  if (pages(connection, "freelist_count") != 0) {
    give_space_back(connection);
    store::keep_sums(connection, std::numeric_limits<std::uintmax_t>::max());
    result.bytes_after = pages(connection, "page_count") * page;
  }
  return result;
}

}  // namespace perf

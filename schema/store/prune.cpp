#include "schema/store/prune.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "schema/side_stats.h"
#include "schema/store/keep_sums.h"
#include "schema/store/transaction.h"

namespace perf::store {
namespace {

/// Measured commits on either side of a change whose raw steps stay.
constexpr std::int64_t kNeighbours = 3;

std::int64_t count(Connection& connection, std::string_view query) {
  return connection.value<std::int64_t>(query).value_or(0);
}

/// Of a step's row `s`: whether its block is more than one timed step, whose summary would take
/// more room than the step itself.
constexpr const char* kIsOfMany = "(s.warmup = 1 OR s.idx > 0)";

/// Runs that are old enough and have raw steps of blocks of many, or steps and output; `why`: ''
/// where nothing keeps them.
void list_old_runs(Connection& connection, const PruneWish& wish) {
  connection.execute(
      "CREATE TABLE temp.old_run (run INTEGER PRIMARY KEY, why TEXT NOT NULL DEFAULT '')");
  connection.run(
      "INSERT INTO temp.old_run (run) SELECT run.key FROM run WHERE run.started_at <= ?1 "
      "AND EXISTS (SELECT 1 FROM invocation AS i JOIN block AS b ON b.invocation = i.key "
      "JOIN step AS s ON s.block = b.key WHERE i.run = run.key AND (" +
          std::string(kIsOfMany) +
          " OR (i.failure = '' AND EXISTS (SELECT 1 FROM output WHERE invocation = i.key))))",
      wish.until);
}

void keep_pinned(Connection& connection, const std::vector<std::string>& also) {
  connection.execute(
      "CREATE TABLE temp.kept_commit (oid TEXT PRIMARY KEY);"
      "INSERT OR IGNORE INTO temp.kept_commit SELECT oid FROM baseline;");
  for (const std::string& oid : also) {
    connection.run("INSERT OR IGNORE INTO temp.kept_commit VALUES (?1)", oid);
  }
  connection.execute(
      "UPDATE temp.old_run SET why = 'pin' WHERE run IN (SELECT run.key FROM run "
      "JOIN revision AS r ON r.key IN (run.base, run.head) "
      "JOIN temp.kept_commit AS k ON k.oid = r.oid);");
}

/// One beside which a series was measured; the line of commits is not known here.
struct MeasuredCommit {
  std::int64_t revision = 0;
  std::string oid;
};

/// The commits at which a series was measured as head, in the order of their first run.
std::vector<MeasuredCommit> measured_commits(Connection& connection, const std::string& series) {
  Statement rows = connection.query(
      "SELECT r.key, r.oid FROM run JOIN revision AS r ON r.key = run.head "
      "WHERE run.purpose IN ('compare', 'collect') AND run.key IN (SELECT p.run "
      "FROM run_workload AS p JOIN workload AS w ON w.key = p.workload "
      "WHERE w.name = ?1 OR substr(?1, 1, length(w.name) + 1) = w.name || '/') "
      "GROUP BY r.key ORDER BY min(run.key)",
      series);
  std::vector<MeasuredCommit> found;
  while (rows.next()) {
    MeasuredCommit& commit = found.emplace_back();
    rows.read(commit.revision, commit.oid);
  }
  return found;
}

struct ChangeAt {
  std::string series, previous, oid;
};

/// Beside a change that is found now.
void keep_changes(Connection& connection, const std::vector<std::string>& oids) {
  for (const std::string& oid : oids) {
    connection.run(
        "UPDATE temp.old_run SET why = 'change' WHERE why = '' AND run IN (SELECT run.key FROM run "
        "JOIN revision AS r ON r.key IN (run.base, run.head) WHERE r.oid = ?1)",
        oid);
  }
}

void keep_around(Connection& connection, const ChangeAt& change) {
  const std::vector<MeasuredCommit> commits = measured_commits(connection, change.series);
  const auto size = static_cast<std::int64_t>(commits.size());
  for (std::int64_t at = 0; at < size; ++at) {
    const std::string& oid = commits[static_cast<std::size_t>(at)].oid;
    if (oid != change.oid && oid != change.previous) {
      continue;
    }
    const std::int64_t last = std::min(size - 1, at + kNeighbours);
    for (std::int64_t i = std::max(std::int64_t{0}, at - kNeighbours); i <= last; ++i) {
      connection.run(
          "UPDATE temp.old_run SET why = 'change' WHERE why = '' AND run IN "
          "(SELECT key FROM run WHERE head = ?1 OR base = ?1)",
          commits[static_cast<std::size_t>(i)].revision);
    }
  }
}

void keep_beside_alerts(Connection& connection) {
  std::vector<ChangeAt> changes;
  {
    Statement rows =
        connection.query("SELECT DISTINCT workload, previous_oid, oid FROM alert ORDER BY key");
    while (rows.next()) {
      ChangeAt& change = changes.emplace_back();
      rows.read(change.series, change.previous, change.oid);
    }
  }
  for (const ChangeAt& change : changes) {
    keep_around(connection, change);
  }
  connection.execute(
      "UPDATE temp.old_run SET why = 'change' WHERE why = '' AND run IN "
      "(SELECT run.key FROM alert_event AS e JOIN run ON run.id = e.run);");
}

void summarize_blocks(Connection& connection) {
  const std::string now =
      connection.value<std::string>("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')").value();
  Statement rows = connection.query(
      "SELECT s.block, s.warmup, s.seconds FROM temp.old_block AS o "
      "CROSS JOIN step AS s ON s.block = o.block ORDER BY o.block");
  std::int64_t block = 0, warmup = 0;
  std::vector<double> timed;
  const auto finish = [&] {
    if (!timed.empty()) {  // a block of nothing but warm-up has no value to sum up
      const SideStats s = side_stats(timed).value();
      connection.run(
          "INSERT OR REPLACE INTO pruned_block (block, at, warmup, mean, stddev, min, p90, max) "
          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
          block, now, warmup, s.mean, s.stddev, s.min, s.p90, s.max);
    }
    timed.clear();
    warmup = 0;
  };
  while (rows.next()) {
    std::int64_t of = 0;
    bool is_warmup = false;
    double seconds = 0;
    rows.read(of, is_warmup, seconds);
    if (of != block) {
      finish();
      block = of;
    }
    if (is_warmup) {
      ++warmup;
    } else {
      timed.push_back(seconds);
    }
  }
  finish();
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
    return count(connection, "SELECT count(*) FROM temp.old_block AS o JOIN " + std::string(table) +
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
  return count(connection, std::string("SELECT ") + kind + " FROM pragma_" + kind);
}

void give_space_back(Connection& connection) {
  try {
    connection.execute("VACUUM");
  } catch (const Error& error) {
    throw Error(
        "the raw steps are taken away, but the file is as long as before (" + error.what + ")",
        error.subject, "free as much space as the store takes, then prune again");
  }
}

}  // namespace

PruneResult prune(Connection& connection, const PruneWish& wish) {
  PruneResult result;
  const std::int64_t page = pages(connection, "page_size");
  {
    WriteTransaction transaction(connection);
    result.bytes_before = pages(connection, "page_count") * page;
    list_old_runs(connection, wish);
    keep_pinned(connection, wish.keep);
    keep_changes(connection, wish.changes);
    keep_beside_alerts(connection);
    result.runs = count(connection, "SELECT count(*) FROM temp.old_run WHERE why = ''");
    result.kept_for_pins = count(connection, "SELECT count(*) FROM temp.old_run WHERE why = 'pin'");
    result.kept_for_changes =
        count(connection, "SELECT count(*) FROM temp.old_run WHERE why = 'change'");
    take_away(connection, result);
    result.bytes_after =
        (pages(connection, "page_count") - pages(connection, "freelist_count")) * page;
    connection.execute(
        "DROP TABLE temp.old_run; DROP TABLE temp.old_block; DROP TABLE temp.kept_commit;");
    if (wish.dry_run) {
      return result;
    }
    transaction.commit();
  }
  if (pages(connection, "freelist_count") != 0) {
    give_space_back(connection);
    keep_sums(connection, std::numeric_limits<std::uintmax_t>::max());
    result.bytes_after = pages(connection, "page_count") * page;
  }
  return result;
}

}  // namespace perf::store

#include <algorithm>
#include <optional>
#include <set>

#include "collector/hub/database/rows.h"
#include "schema/text/lists.h"
#include "schema/text/utc_time.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using postgres::Rows;

/// A time in PostgreSQL's range; for people only.
std::string time_of(std::int64_t seconds) {
  constexpr std::int64_t kLast = 253402300799;  // 9999-12-31
  return utc_text(std::clamp<std::int64_t>(seconds, 0, kLast));
}

/// Keys by the first column of a query.
std::map<std::string, std::int64_t> by_text(Connection& connection, const std::string& query) {
  std::map<std::string, std::int64_t> keys;
  const Rows rows = connection.run(query);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    keys[rows.text(i, 0)] = rows.integer(i, 1);
  }
  return keys;
}

std::map<std::string, std::int64_t> write_revisions(Connection& connection,
                                                    const std::vector<Revision>& revisions) {
  CopyText rows;
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    const Revision& one = revisions[i];
    rows.add(i, one.oid, time_of(one.committed_at), one.author, one.subject);
  }
  fill(connection, "new_revision",
       "n integer, oid text COLLATE \"C\", committed_at timestamptz, author text, subject text",
       rows);
  connection.execute(
      "INSERT INTO perf_compare.revision (oid, committed_at, author, subject) SELECT oid, "
      "committed_at, author, subject FROM pg_temp.new_revision AS n WHERE NOT EXISTS "
      "(SELECT 1 FROM perf_compare.revision AS r WHERE r.oid = n.oid)");
  return by_text(
      connection,
      "SELECT oid, key FROM pg_temp.new_revision JOIN perf_compare.revision USING (oid)");
}

/// Texts that are stored once: keys by text.
std::map<std::string, std::int64_t> write_facts(Connection& connection,
                                                const PayloadHistory& history) {
  std::set<std::string> texts;
  for (const PayloadRun& run : history.runs) {
    texts.insert({stored_text(run.environment.machine), stored_text(run.facts)});
  }
  for (const auto& [size, recorded] : history.of_size) {
    for (const auto& declaration : recorded.declarations) {
      texts.insert(stored_text(declaration));
    }
  }
  CopyText rows;
  for (const std::string& text : texts) {
    rows.add(text);
  }
  fill(connection, "new_facts", "facts text", rows);
  connection.execute(
      "INSERT INTO perf_compare.facts (digest, facts) SELECT md5(facts)::uuid, facts "
      "FROM pg_temp.new_facts ON CONFLICT DO NOTHING");
  return by_text(connection,
                 "SELECT n.facts, key FROM pg_temp.new_facts AS n JOIN perf_compare.facts AS f "
                 "ON f.digest = md5(n.facts)::uuid");
}

CopyText rows_of_runs(const PayloadHistory& history, const std::vector<PayloadKey>& keys,
                      const WrittenRuns& written) {
  std::map<std::string, const PayloadKey*> of_id;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!history.refusals[i]) {
      of_id.try_emplace(id_of_payload(keys[i].name), &keys[i]);
    }
  }
  CopyText rows;
  std::size_t n = 0;
  for (const PayloadRun& run : history.runs) {
    const ListedRun& of = run.listed;
    const PayloadKey& key = *of_id.at(of.id);
    const auto revision = [&](const ListedCommit& commit) {
      return written.revisions.at(commit.oid);
    };
    const auto& base = of.base;
    const std::optional<std::int64_t> started = utc_seconds(of.started_at);
    rows.add(n++, of.id, key.writer, key.month, key.name, to_string(of.kind), of.size,
             of.started_at, started ? std::optional(time_of(*started)) : std::nullopt,
             of.tool_version, base ? std::optional(revision(*base)) : std::nullopt,
             base ? std::optional(base->name) : std::nullopt,
             base ? std::optional(base->dirty) : std::nullopt, revision(of.head), of.head.name,
             of.head.dirty, of.verdict, of.finished, of.interrupted, names_array(run.planned),
             of.workloads, of.processes, of.pairs, of.source,
             of.shard ? std::optional(of.shard->number) : std::nullopt,
             of.shard ? std::optional(of.shard->count) : std::nullopt, run.host,
             run.environment.fingerprint, written.facts.at(stored_text(run.environment.machine)),
             written.facts.at(stored_text(run.facts)));
  }
  return rows;
}

void insert_runs(Connection& connection, const CopyText& rows, WrittenRuns& written) {
  if (rows.empty()) {
    return;
  }
  connection.execute(
      "CREATE TEMP TABLE new_run (LIKE perf_compare.run) ON COMMIT DROP; "
      "ALTER TABLE pg_temp.new_run ALTER key DROP NOT NULL");
  connection.copy_in("COPY pg_temp.new_run FROM STDIN", rows.rows());
  const std::string columns =
      "id, writer, month, name, kind, size, started_at, started, tool_version, base, base_name, "
      "base_dirty, head, head_name, head_dirty, verdict, finished, interrupted, planned, "
      "workloads, processes, pairs, source, shard, shards, host, fingerprint, machine, facts";
  const Rows made =
      connection.run("INSERT INTO perf_compare.run (" + columns + ") SELECT " + columns +
                     " FROM pg_temp.new_run ORDER BY key RETURNING id, key");
  connection.execute("DROP TABLE pg_temp.new_run");
  for (std::size_t i = 0; i < made.size(); ++i) {
    written.runs[made.text(i, 0)] = made.integer(i, 1);
  }
}

void write_programs(Connection& connection, const PayloadHistory& history,
                    const WrittenRuns& written) {
  CopyText rows;
  for (const PayloadRun& run : history.runs) {
    for (const ProgramAt& seen : run.programs) {
      rows.add(written.runs.at(run.listed.id), seen.workload, stored_text(seen.params),
               seen.outside, seen.program);
    }
  }
  if (!rows.empty()) {
    connection.copy_in("COPY perf_compare.program FROM STDIN", rows.rows());
  }
}

}  // namespace

using postgres::Connection;
using postgres::Rows;

void fill(Connection& connection, const std::string& table, const std::string& columns,
          const CopyText& rows) {
  connection.execute("DROP TABLE IF EXISTS pg_temp." + table);
  connection.execute("CREATE TEMP TABLE " + table + " (" + columns + ") ON COMMIT DROP");
  if (!rows.empty()) {
    connection.copy_in("COPY pg_temp." + table + " FROM STDIN", rows.rows());
  }
}

std::vector<std::int64_t> keys_of(Connection& connection, const std::string& query,
                                  std::size_t count) {
  std::vector<std::int64_t> keys(count);
  const Rows rows = connection.run(query);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    keys.at(static_cast<std::size_t>(rows.integer(i, 0))) = rows.integer(i, 1);
  }
  return keys;
}

std::string names_array(const std::vector<std::string>& names) {
  return "{" + joined(names, ",", [](const std::string& name) { return '"' + name + '"'; }) + "}";
}

WrittenRuns write_runs(Connection& connection, const PayloadHistory& history,
                       const std::vector<PayloadKey>& keys) {
  WrittenRuns written{
      write_revisions(connection, history.revisions), write_facts(connection, history), {}};
  insert_runs(connection, rows_of_runs(history, keys, written), written);
  write_programs(connection, history, written);
  return written;
}

}  // namespace perf::hub

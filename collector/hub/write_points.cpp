#include "collector/hub/write_points.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "collector/hub/copy_text.h"
#include "schema/utc_time.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using postgres::Rows;

/// Values of a series that are a tile. A row takes 65 B a point with its index, one of 32 points
/// 16; longer tails would take more room than longer tiles would save.
constexpr int kTile = 32;

/// What PostgreSQL takes for a time; for people only.
std::string time_of(std::int64_t seconds) {
  constexpr std::int64_t kLast = 253402300799;  // 9999-12-31
  return utc_text(std::clamp<std::int64_t>(seconds, 0, kLast));
}

/// A table that is filled here, and gone with the transaction.
void fill(Connection& connection, const std::string& table, const std::string& columns,
          const CopyText& rows) {
  connection.execute("DROP TABLE IF EXISTS pg_temp." + table);
  connection.execute("CREATE TEMP TABLE " + table + " (" + columns + ") ON COMMIT DROP");
  if (!rows.empty()) {
    connection.copy_in("COPY pg_temp." + table + " FROM STDIN", rows.rows());
  }
}

/// The keys that rows numbered 0, 1, ... have there.
std::vector<std::int64_t> keys_of(Connection& connection, const std::string& query,
                                  std::size_t count) {
  std::vector<std::int64_t> keys(count);
  const Rows rows = connection.run(query);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    keys.at(static_cast<std::size_t>(rows.integer(i, 0))) = rows.integer(i, 1);
  }
  return keys;
}

/// Texts that are written once for all that agree.
class Facts {
 public:
  std::size_t number(const std::map<std::string, std::string>& facts) {
    const std::string text = stored_text(facts);
    const auto [found, is_new] = numbers_.try_emplace(text, numbers_.size());
    if (is_new) {
      rows_.add(found->second, text);
    }
    return found->second;
  }
  std::vector<std::int64_t> write(Connection& connection) const {
    fill(connection, "new_facts", "n integer, facts text", rows_);
    connection.execute(
        "INSERT INTO perf_compare.facts (digest, facts) SELECT md5(facts)::uuid, facts "
        "FROM pg_temp.new_facts ON CONFLICT DO NOTHING");
    return keys_of(connection,
                   "SELECT n, key FROM pg_temp.new_facts AS n JOIN perf_compare.facts AS f "
                   "ON f.digest = md5(n.facts)::uuid",
                   numbers_.size());
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  CopyText rows_;
};

std::vector<std::int64_t> write_revisions(Connection& connection,
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
  return keys_of(connection,
                 "SELECT n, key FROM pg_temp.new_revision JOIN perf_compare.revision USING (oid)",
                 revisions.size());
}

/// What the columns of all runs refer to.
struct Written {
  std::map<std::string, std::int64_t> revisions;  ///< by oid
  std::vector<std::int64_t> facts;
  std::map<std::string, std::int64_t> runs;  ///< by id
};

/// {"a","b"}; names of workloads hold no quotes.
std::string names_array(const std::vector<std::string>& names) {
  std::string text = "{";
  for (const std::string& name : names) {
    text += (text.size() == 1 ? "\"" : ",\"") + name + "\"";
  }
  return text + "}";
}

void write_runs(Connection& connection, const PayloadHistory& history,
                const std::vector<PayloadKey>& keys, Facts& facts, Written& written) {
  std::map<std::string, const PayloadKey*> of_id;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!history.refusals[i]) {
      of_id.try_emplace(id_of_payload(keys[i].name), &keys[i]);
    }
  }
  if (history.runs.empty()) {
    return;
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
    rows.add(n++, of.id, key.writer, key.month, key.name, of.kind, of.size, of.started_at,
             started ? std::optional(time_of(*started)) : std::nullopt, of.tool_version,
             base ? std::optional(revision(*base)) : std::nullopt,
             base ? std::optional(base->name) : std::nullopt,
             base ? std::optional(base->dirty) : std::nullopt, revision(of.head), of.head.name,
             of.head.dirty, of.verdict, of.finished, of.interrupted, names_array(run.planned),
             of.workloads, of.processes, of.pairs, of.source,
             of.shard ? std::optional(of.shard->number) : std::nullopt,
             of.shard ? std::optional(of.shard->count) : std::nullopt, run.host,
             run.environment.fingerprint, written.facts[facts.number(run.environment.machine)],
             written.facts[facts.number(run.facts)]);
  }
  connection.execute(
      "CREATE TEMP TABLE new_run (LIKE perf_compare.run) ON COMMIT DROP; "
      "ALTER TABLE pg_temp.new_run ALTER key DROP NOT NULL");
  connection.copy_in("COPY pg_temp.new_run FROM STDIN", rows.rows());
  const std::string columns =
      "id, writer, month, name, kind, size, started_at, started, tool_version, base, base_name, "
      "base_dirty, "
      "head, head_name, head_dirty, verdict, finished, interrupted, planned, workloads, processes, "
      "pairs, "
      "source, shard, shards, host, fingerprint, machine, facts";
  const Rows made =
      connection.run("INSERT INTO perf_compare.run (" + columns + ") SELECT " + columns +
                     " FROM pg_temp.new_run ORDER BY key RETURNING id, key");
  connection.execute("DROP TABLE pg_temp.new_run");
  for (std::size_t i = 0; i < made.size(); ++i) {
    written.runs[made.text(i, 0)] = made.integer(i, 1);
  }
}

void write_programs(Connection& connection, const PayloadHistory& history, const Written& written) {
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

std::vector<std::int64_t> write_series(Connection& connection, const std::string& size,
                                       const RecordedHistory& recorded) {
  CopyText rows;
  for (std::size_t i = 0; i < recorded.series.size(); ++i) {
    const RecordedSeries& one = recorded.series[i];
    rows.add(i, size, one.workload, stored_text(one.params), one.name, one.metric.name,
             one.metric.unit, one.metric.better == Better::higher, one.fingerprint, one.anchor,
             one.outside);
  }
  const std::string columns =
      "size, workload, params, name, metric, unit, higher_is_better, fingerprint, anchor, outside";
  const std::string digest = "md5(ROW(" + columns + ")::text)::uuid";
  fill(connection, "new_series",
       "n integer, size text, workload text, params text, name text, metric text, unit text, "
       "higher_is_better boolean, fingerprint text, anchor text, outside text",
       rows);
  connection.execute("CREATE TEMP TABLE known_series ON COMMIT DROP AS SELECT n, " + digest +
                     " AS digest FROM pg_temp.new_series; "
                     "INSERT INTO perf_compare.series (digest, " +
                     columns + ") SELECT k.digest, " + columns +
                     " FROM pg_temp.new_series JOIN pg_temp.known_series AS k USING (n) WHERE NOT "
                     "EXISTS (SELECT 1 FROM perf_compare.series AS s WHERE s.digest = k.digest) "
                     "ORDER BY n");
  std::vector<std::int64_t> keys = keys_of(
      connection, "SELECT n, key FROM pg_temp.known_series JOIN perf_compare.series USING (digest)",
      recorded.series.size());
  connection.execute("DROP TABLE pg_temp.known_series");
  return keys;
}

/// Where values come from: run, revision and facts, as they are called there.
class Origins {
 public:
  Origins(const PayloadHistory& history, const RecordedHistory& recorded, Facts& facts,
          const Written& written) {
    for (const Revision& revision : history.revisions) {
      revisions_.push_back(written.revisions.at(revision.oid));
    }
    for (const RecordedRun& run : recorded.runs) {
      runs_.push_back(written.runs.at(run.id));
    }
    for (const auto& declaration : recorded.declarations) {
      declarations_.push_back(written.facts[facts.number(declaration)]);
    }
    for (const RecordedSeries& series : recorded.series) {
      for (const RecordedValue& value : series.values) {
        numbers_.try_emplace(place_of(value), numbers_.size());
      }
    }
  }

  void write(Connection& connection) {
    CopyText rows;
    for (const auto& [place, n] : numbers_) {
      rows.add(n, place[0], place[1], place[2]);
    }
    fill(connection, "new_origin", "n integer, run integer, revision integer, facts integer", rows);
    connection.execute(
        "INSERT INTO perf_compare.origin (run, revision, facts) SELECT run, revision, facts FROM "
        "pg_temp.new_origin ORDER BY n");
    keys_ = keys_of(connection,
                    "SELECT n, key FROM pg_temp.new_origin JOIN perf_compare.origin "
                    "USING (run, revision, facts)",
                    numbers_.size());
  }

  std::int64_t key(const RecordedValue& value) const { return keys_[numbers_.at(place_of(value))]; }

 private:
  using Place = std::array<std::int64_t, 3>;
  Place place_of(const RecordedValue& value) const {
    return {runs_[value.run], revisions_[value.commit], declarations_[value.declaration]};
  }

  std::vector<std::int64_t> revisions_, runs_, declarations_, keys_;
  std::map<Place, std::size_t> numbers_;
};

/// "{1,2,3}".
template <class Values, class Write>
std::string array_of(const Values& values, const Write& write) {
  std::string text = "{";
  std::array<char, 32> digits{};
  for (const auto& value : values) {
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), write(value));
    text.append(digits.data(), end.ptr);
    text += ',';
  }
  text.back() = '}';
  return text;
}

/// A tail that becomes long enough goes to the tiles whole.
void write_values(Connection& connection, const RecordedHistory& recorded,
                  const std::vector<std::int64_t>& series, const Origins& origins) {
  CopyText rows;
  for (std::size_t i = 0; i < recorded.series.size(); ++i) {
    const std::vector<RecordedValue>& values = recorded.series[i].values;
    rows.add(series[i],
             array_of(values, [&](const RecordedValue& value) { return origins.key(value); }),
             array_of(values, [](const RecordedValue& value) { return value.value; }));
  }
  fill(connection, "new_value", "series integer, origin integer[], value double precision[]", rows);
  connection.execute(
      "WITH longer AS (SELECT n.series, coalesce(t.origin, '{}') || n.origin AS origin, "
      "coalesce(t.value, '{}') || n.value AS value FROM pg_temp.new_value AS n "
      "LEFT JOIN perf_compare.tail AS t USING (series)), "
      "tiled AS (INSERT INTO perf_compare.tile SELECT * FROM longer WHERE cardinality(value) >= " +
      std::to_string(kTile) +
      " RETURNING series) "
      "INSERT INTO perf_compare.tail AS t SELECT series, CASE WHEN cardinality(value) < " +
      std::to_string(kTile) + " THEN origin ELSE '{}' END, CASE WHEN cardinality(value) < " +
      std::to_string(kTile) +
      " THEN value ELSE '{}' END FROM longer "
      "ON CONFLICT (series) DO UPDATE SET origin = excluded.origin, value = excluded.value");
}

void write_alerts(Connection& connection, const std::vector<Alert>& alerts) {
  CopyText rows, events;
  for (const Alert& alert : alerts) {
    const SeriesKey& of = alert.series;
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), alert.change);
    rows.add(alert.id, of.workload, stored_text(of.params), of.metric, of.fingerprint, of.anchor,
             to_string(alert.kind), alert.previous_oid, alert.oid, alert.baseline,
             std::string(digits.data(), end.ptr), of.outside, of.host);
    for (const AlertEvent& event : alert.events) {
      events.add(alert.id, to_string(event.news), event.at, event.run_id, event.author,
                 event.reason);
    }
  }
  if (rows.empty()) {
    return;
  }
  const std::string columns =
      "id, workload, params, metric, fingerprint, anchor, kind, previous_oid, oid, baseline, "
      "change, outside, host";
  fill(connection, "new_alert",
       "id text COLLATE \"C\", workload text, params text, metric text, fingerprint text, anchor "
       "text, kind text, previous_oid text, oid text, baseline text, change double precision, "
       "outside text, host text, n integer GENERATED ALWAYS AS IDENTITY",
       CopyText());
  connection.copy_in("COPY pg_temp.new_alert (" + columns + ") FROM STDIN", rows.rows());
  fill(connection, "new_event",
       "id text COLLATE \"C\", news text, at text, run text, author text, reason text, n integer "
       "GENERATED ALWAYS AS IDENTITY",
       CopyText());
  if (!events.empty()) {
    connection.copy_in("COPY pg_temp.new_event (id, news, at, run, author, reason) FROM STDIN",
                       events.rows());
  }
  connection.execute("INSERT INTO perf_compare.alert (" + columns + ") SELECT " + columns +
                     " FROM pg_temp.new_alert ORDER BY n ON CONFLICT DO NOTHING; "
                     "INSERT INTO perf_compare.alert_event (alert, news, at, run, author, reason) "
                     "SELECT a.key, news, at, run, author, reason FROM pg_temp.new_event JOIN "
                     "perf_compare.alert AS a USING (id) ORDER BY n ON CONFLICT DO NOTHING");
}

}  // namespace

void write_points(Connection& connection, const PayloadHistory& history,
                  const std::vector<PayloadKey>& keys) {
  Written written;
  const std::vector<std::int64_t> revisions = write_revisions(connection, history.revisions);
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    written.revisions[history.revisions[i].oid] = revisions[i];
  }
  Facts facts;
  for (const PayloadRun& run : history.runs) {
    facts.number(run.environment.machine);
    facts.number(run.facts);
  }
  for (const auto& [size, recorded] : history.of_size) {
    for (const auto& declaration : recorded.declarations) {
      facts.number(declaration);
    }
  }
  written.facts = facts.write(connection);
  write_runs(connection, history, keys, facts, written);
  write_programs(connection, history, written);
  for (const auto& [size, recorded] : history.of_size) {
    Origins origins(history, recorded, facts, written);
    origins.write(connection);
    write_values(connection, recorded, write_series(connection, size, recorded), origins);
  }
  write_alerts(connection, history.alerts);
}

void forget_runs(Connection& connection, const std::string& which,
                 const std::vector<postgres::Parameter>& values) {
  connection.execute("DROP TABLE IF EXISTS pg_temp.gone");
  connection.run_with(
      "CREATE TEMP TABLE gone ON COMMIT DROP AS SELECT key FROM perf_compare.run "
      "WHERE " +
          which,
      values);
  for (const std::string table : {"tile", "tail"}) {
    connection.execute(
        "UPDATE perf_compare." + table +
        " AS t SET (origin, value) = (SELECT coalesce(array_agg(o ORDER BY i), '{}'), "
        "coalesce(array_agg(v ORDER BY i), '{}') FROM unnest(t.origin, t.value) WITH ORDINALITY AS "
        "u (o, v, i) WHERE o NOT IN (SELECT o.key FROM perf_compare.origin AS o JOIN pg_temp.gone "
        "ON gone.key = o.run)) WHERE t.origin && (SELECT array_agg(o.key) FROM "
        "perf_compare.origin AS o JOIN pg_temp.gone ON gone.key = o.run)");
    connection.execute("DELETE FROM perf_compare." + table + " WHERE cardinality(value) = 0");
  }
  connection.execute(
      "DELETE FROM perf_compare.origin USING pg_temp.gone WHERE run = gone.key; "
      "DELETE FROM perf_compare.program USING pg_temp.gone WHERE run = gone.key; "
      "DELETE FROM perf_compare.run USING pg_temp.gone WHERE run.key = gone.key; "
      "DROP TABLE pg_temp.gone");
}

}  // namespace perf::hub

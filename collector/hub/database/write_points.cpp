#include <array>
#include <charconv>
#include <cstdint>
#include <map>

#include "collector/hub/database/rows.h"
#include "schema/text/lists.h"

namespace perf::hub {
namespace {

using postgres::Connection;

/// The number of values in a tile. A row of one point takes 65 B with its index, one of 32 points
/// 16 B a point; longer tails would cost more space than longer tiles save.
constexpr int kTile = 32;

std::vector<std::int64_t> write_series(Connection& connection, const std::string& size,
                                       const RecordedHistory& recorded) {
  CopyText rows;
  for (std::size_t i = 0; i < recorded.series.size(); ++i) {
    const RecordedSeries& one = recorded.series[i];
    rows.add(i, size, one.workload, stored_text(one.params), one.name, one.metric.name,
             one.metric.unit, one.metric.better == Better::higher, one.fingerprint, one.anchor,
             one.outside, one.judge);
  }
  const std::string columns =
      "size, workload, params, name, metric, unit, higher_is_better, fingerprint, anchor, outside";
  const std::string digest = "md5(ROW(" + columns + ")::text)::uuid";
  fill(connection, "new_series",
       "n integer, size text, workload text, params text, name text, metric text, unit text, "
       "higher_is_better boolean, fingerprint text, anchor text, outside text, judge boolean",
       rows);
  connection.execute("CREATE TEMP TABLE known_series ON COMMIT DROP AS SELECT n, " + digest +
                     " AS digest FROM pg_temp.new_series; "
                     "UPDATE perf_compare.series AS s SET judge = true FROM pg_temp.new_series AS "
                     "new JOIN pg_temp.known_series AS k USING (n) WHERE s.digest = k.digest AND "
                     "new.judge AND NOT s.judge; "
                     "INSERT INTO perf_compare.series (digest, judge, " +
                     columns + ") SELECT k.digest, judge, " + columns +
                     " FROM pg_temp.new_series JOIN pg_temp.known_series AS k USING (n) WHERE NOT "
                     "EXISTS (SELECT 1 FROM perf_compare.series AS s WHERE s.digest = k.digest) "
                     "ORDER BY n");
  std::vector<std::int64_t> keys = keys_of(
      connection, "SELECT n, key FROM pg_temp.known_series JOIN perf_compare.series USING (digest)",
      recorded.series.size());
  connection.execute("DROP TABLE pg_temp.known_series");
  return keys;
}

/// The origin of values: run, revision and facts.
class Origins {
 public:
  Origins(const PayloadHistory& history, const RecordedHistory& recorded,
          const WrittenRuns& written) {
    revisions_ = mapped(history.revisions,
                        [&](const Revision& one) { return written.revisions.at(one.oid); });
    runs_ = mapped(recorded.runs, [&](const RecordedRun& run) { return written.runs.at(run.id); });
    declarations_ = mapped(recorded.declarations, [&](const auto& declaration) {
      return written.facts.at(stored_text(declaration));
    });
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

/// A tail that is long enough becomes a tile.
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

}  // namespace

void write_points(Connection& connection, const PayloadHistory& history,
                  const std::vector<PayloadKey>& keys) {
  const WrittenRuns written = write_runs(connection, history, keys);
  for (const auto& [size, recorded] : history.of_size) {
    Origins origins(history, recorded, written);
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

using postgres::Connection;

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

}  // namespace perf::hub

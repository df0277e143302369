// What the points of a hub in PostgreSQL cost: cmake --build BUILD --target hub_figures &&
// BUILD/tests/hub_figures

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

#include "collector/hub/database/points.h"
#include "collector/hub/database/rows.h"
#include "collector/hub/database/tables.h"
#include "schema/store/store.h"
#include "tests/ci/recorded_line.h"
#include "tests/collector/postgres/server.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

using postgres::Connection;

constexpr int kSeries = 10000, kRuns = 50, kValues = 10;  ///< of a commit: 10^5 points

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

std::string name_of(int number) {
  const std::string digits = std::to_string(100000 + number);
  return "suite" + digits.substr(1, 2) + "/w" + digits.substr(3);
}

double around(double level, std::mt19937_64& random) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) {
    sum += static_cast<double>(random() >> 11U) * 0x1p-53;
  }
  return level * std::exp(0.01 * (sum - 6));
}

/// What 50 payloads hold of one commit.
PayloadHistory night(int number, const std::string& oid, std::mt19937_64& random) {
  PayloadHistory history;
  history.revisions.emplace_back().oid = oid;
  RecordedHistory& recorded = history.of_size["ci"];
  recorded.declarations.emplace_back();
  for (int r = 0; r < kRuns; ++r) {
    PayloadRun& run = history.runs.emplace_back();
    run.listed.id = "night" + std::to_string(number) + "-" + std::to_string(r);
    run.listed.kind = RunKind::collect;
    run.listed.size = "ci";
    run.listed.started_at = "2026-01-01T00:00:00Z";
    run.listed.head.oid = oid;
    run.environment.fingerprint = "machine1";
    recorded.runs.push_back({run.listed.id, run.listed.started_at});
    history.refusals.emplace_back();
    for (int s = r; s < kSeries; s += kRuns) {
      RecordedSeries& series = recorded.series.emplace_back();
      series.workload = series.name = name_of(s);
      series.metric = kStepTime;
      series.fingerprint = "machine1";
      for (int v = 0; v < kValues; ++v) {
        series.values.push_back(
            {0, static_cast<std::uint32_t>(r), 0, around(.01 * (1 + s % 7), random)});
      }
    }
  }
  return history;
}

std::vector<hub::PayloadKey> keys_of(const PayloadHistory& history) {
  std::vector<hub::PayloadKey> keys;
  for (const PayloadRun& run : history.runs) {
    keys.push_back({"writer", "2026-01", run.listed.id + "-" + std::string(32, 'a'), ""});
  }
  return keys;
}

double bytes_of(Connection& connection, const std::vector<std::string>& tables) {
  double sum = 0;
  for (const std::string& table : tables) {
    sum += connection.run("SELECT pg_total_relation_size('" + table + "')::float8").real(0, 0);
  }
  return sum;
}

/// Both forms, filled night after night.
void measure_room(const std::string& address) {
  Connection connection(address, {});
  hub::make(connection);
  connection.execute(
      "CREATE TABLE point (series integer NOT NULL, origin integer NOT NULL, value double "
      "precision "
      "NOT NULL); CREATE INDEX ON point (series, origin)");
  std::mt19937_64 random(20260131);
  std::printf("%10s %16s %16s %14s %14s\n", "points", "rows, B/point", "arrays, B/point",
              "rows, s/night", "arrays, s/night");
  for (int n = 1; n <= 100; ++n) {
    const PayloadHistory history =
        night(n, std::string(36, 'a') + std::to_string(1000 + n), random);
    double rows = 0;
    const double arrays = seconds_of([&] {
      postgres::Transaction transaction(connection);
      hub::write_points(connection, history, keys_of(history));
      rows = seconds_of([&] {
        connection.execute(
            "INSERT INTO point SELECT series, unnest(origin), unnest(value) FROM "
            "pg_temp.new_value");
      });
      transaction.commit();
    });
    connection.execute("VACUUM perf_compare.tail");  // as autovacuum does
    if (n == 10 || n == 30 || n == 100) {
      const double points = 1e5 * n;
      std::printf("%10.0f %16.1f %16.1f %14.2f %14.2f\n", points,
                  bytes_of(connection, {"point"}) / points,
                  bytes_of(connection, {"perf_compare.tile", "perf_compare.tail",
                                        "perf_compare.origin", "perf_compare.series"}) /
                      points,
                  rows, arrays - rows);
      std::fflush(stdout);
    }
  }
  // One series of 5,000 points among them.
  connection.execute(
      "WITH s AS (INSERT INTO perf_compare.series (digest, size, workload, params, name, metric, "
      "unit, "
      "higher_is_better, fingerprint, anchor, outside) VALUES (md5('long')::uuid, 'ci', 'long', "
      "'{}', "
      "'long', 'step_time', 's', false, 'machine1', '', '') RETURNING key), "
      "t AS (INSERT INTO perf_compare.tile SELECT s.key, array_agg(o.key), array_agg(0.01 + o.key "
      "* "
      "1e-9) FROM s, perf_compare.origin AS o WHERE o.key <= 5000 GROUP BY s.key, o.key / 32) "
      "INSERT INTO point SELECT s.key, o.key, 0.01 FROM s, perf_compare.origin AS o WHERE o.key <= "
      "5000");
  connection.execute("ANALYZE point; ANALYZE perf_compare.tile");
  const auto read = [&](const std::string& from) {
    const std::string sql = "SELECT sum(value) FROM (" + from + ") AS t";
    connection.run(sql);
    return seconds_of([&] { connection.run(sql); });
  };
  const std::string key = "(SELECT key FROM perf_compare.series WHERE workload = 'long')";
  std::printf(
      "a series of 5,000 points, warm: rows %.1f ms, arrays %.1f ms; by perf_points %.1f ms\n",
      1e3 * read("SELECT value FROM point WHERE series = " + key),
      1e3 * read("SELECT unnest(value) AS value FROM perf_compare.tile WHERE series = " + key),
      1e3 * read("SELECT value FROM perf_compare.perf_points WHERE workload = 'long'"));
}

/// 50 payloads of 2,000 points: checked, gathered, written.
void measure_index(const std::string& address) {
  const example::Folder folder;
  Connection connection(address, {});
  hub::make(connection);
  std::mt19937_64 random(20260131);
  for (int r = 0; r < kRuns; ++r) {
    Plan plan = example::plan("run-" + std::to_string(r));
    plan.purpose = Purpose::collect;
    plan.base.reset();
    plan.head.dirty = false;
    const PlannedWorkload first = plan.workloads[0];
    plan.workloads.clear();
    std::vector<Invocation> invocations;
    for (int s = r; s < kSeries; s += kRuns) {
      PlannedWorkload& planned = plan.workloads.emplace_back(first);
      planned.workload.name = name_of(s);
      for (int v = 0; v < kValues; ++v) {
        Invocation& made = invocations.emplace_back();
        made.workload = planned.workload.name;
        made.oid = plan.head.oid;
        made.paired = false;
        made.pair = v;
        made.start_order = static_cast<int>(invocations.size());
        made.process.exit_code = 0;
        made.process.wall = 1;
        Block& block = made.blocks.emplace_back();
        block.workload = made.workload;
        for (int step = 0; step < 5; ++step) {
          block.steps.push_back({step, false, around(.01, random), {}, {}});
        }
      }
    }
    Store store(folder / (plan.run_id + ".db"));
    store.add_imported(plan, {}, "test", invocations, {"steps", "f", plan.run_id, ""});
    const Payload payload = store.payload_of_run(plan.run_id);
    connection.run(
        "INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES ('w', $1, $2, $3)",
        payload.month, payload.name, postgres::Bytes{payload.bytes});
  }
  hub::Indexed indexed;
  const double took = seconds_of([&] { indexed = hub::index_new(connection, {}); });
  std::printf("hub index of %lld payloads, %lld points: %.1f s\n",
              static_cast<long long>(indexed.payloads),
              static_cast<long long>(
                  connection
                      .run("SELECT sum(cardinality(value)) FROM (SELECT value FROM "
                           "perf_compare.tile UNION ALL SELECT value FROM perf_compare.tail) AS t")
                      .integer(0, 0)),
              took);
  std::fflush(stdout);
}

/// `series` of a point a commit, a tenth of them with a step.
void fill(Connection& connection, const std::vector<std::string>& oids, int series) {
  std::mt19937_64 random(20260131);
  PayloadHistory history = night(0, oids[0], random);
  history.of_size["ci"].series.resize(static_cast<std::size_t>(series));
  for (RecordedSeries& one : history.of_size["ci"].series) {
    one.values.resize(1);
  }
  {
    postgres::Transaction transaction(connection);
    hub::write_points(connection, history, keys_of(history));
    transaction.commit();
  }
  std::string values;
  for (std::size_t i = 0; i < oids.size(); ++i) {
    values += (i == 0 ? "('" : ",('") + oids[i] + "'," + std::to_string(i) + ")";
  }
  connection.execute("CREATE TABLE line (oid text, n integer); INSERT INTO line VALUES " + values);
  connection.execute(
      "SELECT setseed(0.31); "
      "INSERT INTO perf_compare.revision (oid, committed_at, author, subject) SELECT oid, now(), "
      "'', '' FROM line ON CONFLICT DO NOTHING; "
      "INSERT INTO perf_compare.origin (run, revision, facts) SELECT (SELECT min(key) FROM "
      "perf_compare.run), r.key, (SELECT min(key) FROM perf_compare.facts) FROM line JOIN "
      "perf_compare.revision AS r USING (oid) ORDER BY line.n ON CONFLICT DO NOTHING; "
      "CREATE TABLE part AS SELECT array_agg(o.key ORDER BY l.n) AS origin, array_agg(l.n ORDER BY "
      "l.n) AS n FROM line AS l JOIN perf_compare.revision AS r USING (oid) JOIN "
      "perf_compare.origin AS o ON o.revision = r.key WHERE o.run = (SELECT min(key) FROM "
      "perf_compare.run) GROUP BY l.n / 32; "
      "TRUNCATE perf_compare.tail; "
      "INSERT INTO perf_compare.tile SELECT s.key, part.origin, ARRAY(SELECT (0.01 + (s.key % 7) * "
      "0.01) * exp(0.01 * (random() + random() + random() + random() - 2) * 1.7) * CASE WHEN s.key "
      "% 10 = 0 AND n > 500 THEN 1.1 ELSE 1 END FROM unnest(part.n) AS n) FROM part, "
      "perf_compare.series AS s");
  connection.execute("ANALYZE");
}

void measure_trend(test::PostgresServer& server, std::size_t points,
                   const std::vector<int>& counts) {
  const test::RecordedLine line(points, 2 * points, "1");
  for (const int series : counts) {
    const std::string address = server.new_database();
    {
      Connection connection(address, {});
      hub::make(connection);
      fill(connection, line.oids, series);
    }
    test::Outcome outcome;
    const double before = seconds_of_children();
    const double took = seconds_of([&] {
      outcome = line.trend({"--hub", address, "--json", (line.path() / "../trend.json").string()});
    });
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    std::printf(
        "trend of %d series of %zu points: %.1f s (%.1f s of processors, the server's aside), at "
        "most %ld MiB so far; exit %d %s\n",
        series, points, took, seconds_of_children() - before, usage.ru_maxrss / 1024,
        outcome.exit_code, outcome.err.substr(0, 300).c_str());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace perf

/// All of it, or the parts that are named.
int main(int argc, char** argv) {
  const std::vector<std::string> named(argv + 1, argv + argc);
  const auto is_wanted = [&](const char* part) {
    return named.empty() || std::find(named.begin(), named.end(), part) != named.end();
  };
  perf::test::PostgresServer server;
  if (is_wanted("index")) {
    perf::measure_index(server.new_database());
  }
  if (is_wanted("trend")) {
    perf::measure_trend(server, 1000, {2500, 5000, 10000});
  }
  if (is_wanted("long")) {
    perf::measure_trend(server, 3000, {10000});
  }
  if (is_wanted("room")) {
    perf::measure_room(server.new_database());
  }
}

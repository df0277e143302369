// What `hub index` makes of payloads: the very history that a store tells which took them in.

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "analyzer/trend/trend.h"
#include "collector/hub/database/points.h"
#include "collector/hub/database/tables.h"
#include "collector/hub/hub.h"
#include "reporter/render.h"
#include "schema/store/store.h"
#include "tests/collector/postgres/server.h"
#include "tests/schema/store/example.h"
#include "tests/schema/store/wrong_payload.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using test::shared_server;

/// An object id; order on the line is that of the numbers.
std::string oid_at(int commit) {
  const std::string digits = std::to_string(1000 + commit);
  return std::string(36, 'a') + digits;
}

/// What tonight's machine made of a commit.
struct Night {
  std::string writer = "ada";
  std::string machine = "machine1";
  std::string host = std::string(32, 'b');
  std::string id{};
  std::optional<int> anchor{};
  std::string program{};
};

/// Several machines, each with a store, and a hub where their runs meet.
struct HubPoints : testing::Test {
  HubPoints() : address(shared_server().new_database()), connection(address, {}) {
    make(connection);
  }

  Plan plan_at(int commit, const Night& night) {
    Plan plan = example::plan(night.id.empty() ? "run-" + std::to_string(++runs) : night.id);
    plan.purpose = Purpose::collect;
    plan.head.oid = oid_at(commit);
    plan.head.dirty = false;
    plan.head.committed_at = 1700000000 + 86400 * commit;
    plan.environment.fingerprint = night.machine;
    plan.environment.machine = {{"cpu_model", night.machine}};
    plan.environment.facts = {{"governor", commit < 30 ? "performance" : "powersave"}};
    plan.host = night.host;
    if (night.anchor) {
      plan.base->oid = oid_at(*night.anchor);
      plan.base->dirty = false;
    } else {
      plan.base.reset();
    }
    return plan;
  }

  /// Records a commit on a machine and brings the run to the hub.
  Payload collect(int commit, const Night& night, double seconds, int invocations = 2) {
    const Plan plan = plan_at(commit, night);
    Store& store = stores.try_emplace(night.writer, folder / (night.writer + ".db")).first->second;
    store.begin_run(plan, {}, "test", "2026-01-05T00:00:00Z");
    int order = 0;
    for (int pair = 0; pair < invocations; ++pair) {
      for (const Side side : {Side::base, Side::head}) {
        if (side == Side::base && !plan.base) {
          continue;
        }
        Invocation made = example::invocation(order);
        made.workload = plan.workloads[0].workload.name;
        made.side = side;
        made.oid = side == Side::base ? plan.base->oid : plan.head.oid;
        made.start_order = order++;
        made.pair = pair;
        made.attempt = 1;
        made.paired = plan.base.has_value();
        made.failure.clear();
        for (Block& block : made.blocks) {
          for (MetricValue& metric : block.metrics) {
            metric.judge = metric.judge && commit % 3 == 1;  // some commits request it
          }
          for (Step& step : block.steps) {
            step.seconds = seconds * (1 + 0.01 * noise(random)) * (side == Side::base ? 0.5 : 1);
            step.phases.clear();
          }
        }
        store.add(plan.run_id, made);
      }
    }
    const Payload payload = store.payload_of_run(plan.run_id);
    put(night.writer, payload);
    return payload;
  }

  void put(const std::string& writer, const Payload& payload) {
    payloads.emplace_back(writer, payload);
    connection.run(
        "INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES ($1, $2, $3, $4) ON "
        "CONFLICT DO NOTHING",
        writer, payload.month, payload.name, postgres::Bytes{payload.bytes});
  }

  /// A store that takes in all of it, in the order in which pull does.
  const Store& pulled() {
    if (pulled_ && payloads.size() == pulled_count_) {
      return *pulled_;
    }
    std::stable_sort(payloads.begin(), payloads.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first, a.second.month, a.second.name) <
             std::tie(b.first, b.second.month, b.second.name);
    });
    std::vector<Payload> all;
    for (const auto& [writer, payload] : payloads) {
      all.push_back(payload);
    }
    pulled_.emplace(folder / ("pulled-" + std::to_string(++runs) + ".db"));
    pulled_->take("0123456789abcdef", all);
    pulled_count_ = payloads.size();
    return *pulled_;
  }

  HistoryQuery query(int commits) const {
    HistoryQuery made;
    for (int i = 0; i < commits; ++i) {
      made.oids.push_back(oid_at(i));
    }
    made.size = "smoke";
    return made;
  }

  TrendReport report(const RecordedHistory& recorded, const std::vector<Alert>& alerts,
                     const HistoryQuery& of, MoreSeries more = {}, bool keeps_points = true) {
    std::vector<Revision> line;
    for (const std::string& oid : of.oids) {
      Revision& revision = line.emplace_back();
      revision.oid = oid;
      revision.committed_at = 1700000000 + 86400 * static_cast<std::int64_t>(line.size());
    }
    TrendInputs inputs{recorded, line};
    inputs.baselines = {{"release", oid_at(3), "", ""}};
    inputs.alerts = alerts;
    inputs.size = of.size;
    inputs.more = std::move(more);
    inputs.keeps_points = keeps_points;
    return trend(inputs);
  }

  /// The JSON of a trend: with points, or of one that keeps none.
  std::string of_store(const HistoryQuery& of, bool points = true) {
    const Store& store = pulled();
    RecordedHistory recorded = store.load_recorded(of);
    recorded.programs = store.programs_at(of.oids, of.size);
    TrendReport told = report(recorded, store.alerts(), of);
    told.tells_points = points;
    return render_trend_json(told);
  }
  std::string of_hub(const HistoryQuery& of, bool points = true) {
    postgres::Transaction transaction(connection);
    begin_reading(connection);
    PointReader reader(connection, of);
    TrendReport told = report(
        reader.frame(), load_alerts(connection), of, [&] { return reader.next(100); }, points);
    told.tells_points = points;
    return render_trend_json(told);
  }

  std::int64_t count(const std::string& of) {
    return connection.run("SELECT count(*) FROM perf_compare." + of).integer(0, 0);
  }
  std::int64_t points() {
    return connection
        .run(
            "SELECT coalesce(sum(cardinality(value)), 0) FROM (SELECT value FROM "
            "perf_compare.tile UNION ALL SELECT value FROM perf_compare.tail) AS t")
        .integer(0, 0);
  }

  example::Folder folder;
  std::map<std::string, Store> stores;  ///< of writers
  std::string address;
  Connection connection;
  std::vector<std::pair<std::string, Payload>> payloads;
  std::mt19937 random{20260131};
  std::normal_distribution<double> noise;
  int runs = 0;
  std::optional<Store> pulled_{};
  std::size_t pulled_count_ = 0;
};

/// Steps, machines, an odd host, pairs with a baseline, commits that are measured twice and commits
/// elsewhere.
TEST_F(HubPoints, EqualTheHistoryOfAStoreWithTheSameRuns) {
  for (int commit = 0; commit < 32; ++commit) {
    const double level = commit < 16 ? 0.1 : 0.12;
    collect(commit, {.writer = commit % 2 == 0 ? "ada" : "bob"}, level);
    collect(commit, {.writer = "cy", .machine = "machine2"}, level * 2, 1);
    if (commit % 2 == 0) {
      collect(commit, {.writer = "bob", .host = std::string(32, 'c')}, level * 1.2, 1);
    }
    if (commit % 5 == 0) {
      collect(commit, {.writer = "cy", .anchor = 3}, level, 1);
    }
  }
  const std::string expected = of_store(query(30));  // two are on no line
  EXPECT_NE(expected.find("\"change_points\":[{"), std::string::npos);
  EXPECT_NE(expected.find("hosts_differ"), std::string::npos);
  EXPECT_NE(expected.find("commits_elsewhere"), std::string::npos) << expected.substr(0, 2000);
  const Indexed indexed = index_new(connection, {});
  EXPECT_EQ(indexed.refused.size(), 0U);
  EXPECT_EQ(indexed.payloads, static_cast<std::int64_t>(payloads.size()));
  EXPECT_GT(count("tile"), 0);
  EXPECT_EQ(of_hub(query(30)), expected);
  EXPECT_EQ(of_hub(query(30), false), of_store(query(30), false));
  EXPECT_EQ(of_hub(query(20)), of_store(query(20)));
  HistoryQuery some = query(30);
  some.metrics = {"peak_rss"};
  some.workloads = {"training/*"};
  EXPECT_EQ(of_hub(some), of_store(some));

  const std::int64_t there = points();
  EXPECT_EQ(index_new(connection, {}).payloads, 0);
  EXPECT_EQ(points(), there);
  const Indexed again = index_again(connection, {});
  EXPECT_EQ(again.payloads, indexed.payloads);
  EXPECT_EQ(points(), there);
  EXPECT_EQ(of_hub(query(30)), expected);
}

TEST_F(HubPoints, FollowLaterPayloads) {
  for (int commit = 0; commit < 12; ++commit) {
    collect(commit, {.writer = commit % 2 == 0 ? "ada" : "bob"}, commit < 8 ? 0.1 : 0.15, 8);
    index_new(connection, {});
    if (commit % 4 == 3) {
      EXPECT_EQ(of_hub(query(12)), of_store(query(12))) << commit;
    }
  }
}

TEST_F(HubPoints, ExistOncePerRun) {
  const Payload one = collect(1, {.writer = "ada", .id = "same"}, 0.1, 4);
  index_new(connection, {});
  const std::int64_t there = points();
  // Another writer brings it, packed by another version of zstd: other bytes under one name.
  put("bob", {one.name, one.month, test::packed_again(one.bytes)});
  EXPECT_EQ(index_new(connection, {}).payloads, 1);
  EXPECT_EQ(points(), there);
  EXPECT_EQ(count("run"), 1);
  // The same run without its raw steps, as a store has it that was pruned.
  put("cy", test::changed_payload(one, "DELETE FROM phase; DELETE FROM step WHERE idx > 2", true));
  EXPECT_EQ(index_new(connection, {}).refused.size(), 0U);
  EXPECT_EQ(points(), there);
  EXPECT_EQ(count("run"), 1);
  EXPECT_EQ(of_hub(query(3)), of_store(query(3)));
  // A run that says something else under its id.
  put("mallory", test::changed_payload(one, "UPDATE run SET seed = seed + 1", true));
  const Indexed refused = index_new(connection, {});
  ASSERT_EQ(refused.refused.size(), 1U);
  EXPECT_NE(refused.refused[0].what.find("two different runs have the id"), std::string::npos);
  EXPECT_EQ(points(), there);
  EXPECT_EQ(of_hub(query(3)), of_store(query(3)));
  index_again(connection, {});
  EXPECT_EQ(points(), there);
}

TEST_F(HubPoints, AreEqualFromTwoConcurrentIndexers) {
  for (int commit = 0; commit < 12; ++commit) {
    collect(commit, {}, 0.1);
  }
  std::vector<Indexed> done(3);
  std::vector<std::thread> indexers;
  for (Indexed& one : done) {
    indexers.emplace_back([&] {
      Connection own(address, {});
      one = index_new(own, {});
    });
  }
  for (std::thread& one : indexers) {
    one.join();
  }
  EXPECT_EQ(done[0].payloads + done[1].payloads + done[2].payloads, 12);
  EXPECT_EQ(count("run"), 12);
  EXPECT_EQ(of_hub(query(20)), of_store(query(20)));
}

TEST_F(HubPoints, AreReadInOneSnapshot) {
  for (int commit = 0; commit < 12; ++commit) {
    collect(commit, {.machine = "machine" + std::to_string(commit % 3)}, commit < 6 ? 0.1 : 0.12);
  }
  index_new(connection, {});
  const HistoryQuery all = query(20);
  const std::string before = of_store(all, false);
  postgres::Transaction transaction(connection);
  begin_reading(connection);
  PointReader reader(connection, all);
  int reads = 0;
  const TrendReport told = report(
      reader.frame(), {}, all,
      [&] {
        if (++reads == 2) {
          Connection other(address, {});
          index_again(other, {});
          other.execute("DELETE FROM perf_compare.tile; DELETE FROM perf_compare.tail");
        }
        return reader.next(1);
      },
      true);
  EXPECT_GT(reads, 3);
  EXPECT_EQ(told.measured, 12U);
  EXPECT_EQ(render_trend_json(told), of_store(all));
  transaction.commit();
  EXPECT_NE(of_hub(all, false), before);
}

/// As prune takes old months; a store that forgot so may bring them again.
TEST_F(HubPoints, OutliveTheirPayloads) {
  for (int commit = 0; commit < 8; ++commit) {
    collect(commit, {}, 0.1);
  }
  index_new(connection, {});
  const std::string expected = of_hub(query(8));
  const std::int64_t there = points();
  connection.execute("DELETE FROM perf_compare.payload WHERE name < 'run-5'");
  EXPECT_EQ(index_again(connection, {}).payloads, 4);
  EXPECT_EQ(of_hub(query(8)), expected);
  for (const auto& [writer, payload] : std::vector(payloads)) {
    put(writer, payload);
  }
  connection.execute("DELETE FROM perf_compare.indexed");
  EXPECT_EQ(index_new(connection, {}).refused.size(), 0U);
  EXPECT_EQ(points(), there);
  EXPECT_EQ(of_hub(query(8)), expected);
}

/// Its payload is not what it was: nothing of it is left.
TEST_F(HubPoints, DropUnreferencedRowsWhenMadeAgain) {
  collect(1, {}, 0.1);
  index_new(connection, {});
  const auto counts = [this] {
    std::vector<std::int64_t> found;
    for (const char* table : {"run", "revision", "facts", "series", "origin"}) {
      found.push_back(count(table));
    }
    return found;
  };
  const std::vector<std::int64_t> expected = counts();
  const std::string told = of_hub(query(3), false);
  collect(2, {.machine = "machine2"}, 0.1);
  collect(40, {.writer = "cy", .anchor = 3}, 0.1);
  EXPECT_EQ(index_new(connection, {}).payloads, 2);
  EXPECT_EQ(count("revision"), 4);
  connection.execute("UPDATE perf_compare.payload SET bytes = 'x' WHERE name NOT LIKE 'run-1-%'");
  EXPECT_EQ(index_again(connection, {}).refused.size(), 2U);
  EXPECT_EQ(counts(), expected);
  EXPECT_EQ(of_hub(query(3), false), told);
}

TEST_F(HubPoints, ExcludeUntrustedPayloads) {
  const Payload one = collect(1, {}, 0.1);
  connection.execute(
      "INSERT INTO perf_compare.untrusted (writer, month, name, bytes) SELECT writer, month, name, "
      "bytes FROM perf_compare.payload; DELETE FROM perf_compare.payload");
  EXPECT_EQ(index_new(connection, {}).payloads, 0);
  EXPECT_EQ(points(), 0);
}

/// Refused by name, remembered with why, and nothing of it is anywhere; the others are taken.
TEST_F(HubPoints, ExcludeForgedPayloads) {
  const Payload good = collect(1, {}, 0.1);
  std::vector<Payload> bad{
      {"x-" + std::string(32, 'a'), good.month, "text"},
      {good.name, "2025-01", good.bytes.substr(0, 100)},
      test::changed_payload(good, "UPDATE run SET seed = seed + 1", false),
      test::changed_payload(good, "UPDATE run SET id = 'y'; UPDATE workload SET name = '../x'",
                            true, "y"),
      // What SQLite takes, and PostgreSQL does not.
      test::changed_payload(good, "UPDATE run SET id = 'z', head_name = CAST(x'ff' AS TEXT)", true,
                            "z")};
  for (const Payload& one : bad) {
    put("mallory", one);
  }
  const Indexed indexed = index_new(connection, {});
  EXPECT_EQ(indexed.payloads, 1);
  ASSERT_EQ(indexed.refused.size(), bad.size());
  EXPECT_EQ(count("run"), 1);
  EXPECT_EQ(count("indexed WHERE refused <> ''"), static_cast<std::int64_t>(bad.size()));
  EXPECT_EQ(index_new(connection, {}).refused.size(), 0U) << "it is asked about twice";
  EXPECT_EQ(connection.run("SELECT oid FROM perf_compare.perf_points").text(0, 0), oid_at(1));
}

/// Times and numbers beyond what PostgreSQL knows break no view.
TEST_F(HubPoints, WithInvalidTimesBreakNoView) {
  const Payload good = collect(1, {}, 0.1);
  put("ada",
      test::changed_payload(good,
                            "UPDATE run SET id = 'late', started_at = '2026-99-99T99:99:99Z'; "
                            "UPDATE revision SET committed_at = 9000000000000000000",
                            true, "late"));
  EXPECT_EQ(index_new(connection, {}).refused.size(), 0U);
  EXPECT_EQ(connection.run("SELECT * FROM perf_compare.perf_runs").size(), 2U);
  EXPECT_GT(connection.run("SELECT * FROM perf_compare.perf_points").size(), 2U);
}

TEST_F(HubPoints, IncludeAlerts) {
  for (const char* id : {"run-1", "run-2"}) {
    example::make_full_store(folder / (std::string(id) + "full.db"), id);
    const Store store(folder / (std::string(id) + "full.db"));
    put("ada", store.payload_of_alerts("2026-01"));
    put("ada", store.payload_of_run(id));
  }
  EXPECT_EQ(index_new(connection, {}).refused.size(), 0U);
  const std::vector<Alert> there = load_alerts(connection), expected = pulled().alerts();
  ASSERT_EQ(there.size(), expected.size());
  for (std::size_t i = 0; i < there.size(); ++i) {
    EXPECT_EQ(there[i].id, expected[i].id);
    EXPECT_EQ(there[i].series, expected[i].series);
    EXPECT_EQ(there[i].change, expected[i].change);
    ASSERT_EQ(there[i].events.size(), expected[i].events.size());
  }
  EXPECT_GT(connection.run("SELECT text FROM perf_compare.perf_annotations").size(), 0U);
}

/// Frames that were changed at random are refused, all of them; stores in whole frames as well, but
/// for those that hold what they did, because the byte lies in the gap of a page.
TEST_F(HubPoints, ExcludeFuzzedPayloads) {
  const Payload good = collect(1, {}, 0.1);
  index_new(connection, {});
  const std::int64_t there = points();
  const auto any = [&](std::size_t end) { return random() % end; };
  for (int i = 0; i < 100; ++i) {
    Payload one = good;
    if (i % 2 == 0) {
      one.bytes[any(one.bytes.size())] ^= static_cast<char>(1U << any(8));
    } else {
      one.bytes.resize(any(one.bytes.size()));
    }
    put("mallory", one);
  }
  std::int64_t fuzzed = count("payload") - 1;
  EXPECT_EQ(index_new(connection, {}).refused.size(), static_cast<std::size_t>(fuzzed));
  for (int i = 0; i < 50; ++i) {
    put("mallory", test::changed_image(good, [&](std::string& image) {
          for (int k = 0; k < 8; ++k) {
            image[any(image.size())] ^= static_cast<char>(1U + any(255));
          }
        }));
  }
  fuzzed = count("payload") - 1 - fuzzed;
  const Indexed indexed = index_new(connection, {});
  EXPECT_EQ(indexed.payloads + static_cast<std::int64_t>(indexed.refused.size()), fuzzed);
  EXPECT_GE(indexed.refused.size(), static_cast<std::size_t>(fuzzed / 2));
  EXPECT_EQ(count("run"), 1);
  EXPECT_EQ(points(), there);
  connection.execute("DELETE FROM perf_compare.payload WHERE writer = 'mallory'");
  index_again(connection, {});
  EXPECT_EQ(points(), there);
}

}  // namespace
}  // namespace perf::hub

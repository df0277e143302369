// From a store to the tables of a hub and back: index, trend and dashboards, as users run them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "collector/postgres/connection.h"
#include "schema/files/content.h"
#include "schema/store/store.h"
#include "tests/ci/recorded_line.h"
#include "tests/collector/postgres/server.h"

namespace perf::test {
namespace {

using TrendJson = nlohmann::json;

/// Runs of two workloads, one of which becomes slower; recorded once for all tests.
struct PackedLine : RecordedLine {
  PackedLine() : RecordedLine(40, 20, "120") {
    record(0, 40, [](std::size_t i) { return i < 20 ? .1 : .12; });
    record(
        20, 40, [](std::size_t) { return .2; }, "machine1", "calm");
    const Store store(path() / ".perf-compare" / "results.db");
    for (const std::string& id : store.run_ids("")) {
      payloads.push_back(store.payload_of_run(id));
    }
  }
  std::vector<Payload> payloads;
};

const PackedLine& packed_line() {
  static const PackedLine line;
  return line;
}

/// A hub that has its runs.
struct IndexedLine {
  IndexedLine() {
    postgres::Connection connection(owner, {});
    for (const Payload& payload : packed_line().payloads) {
      connection.run(
          "INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES ('ada', $1, $2, "
          "$3)",
          payload.month, payload.name, postgres::Bytes{payload.bytes});
    }
  }
  Outcome perf_compare(const std::vector<std::string>& arguments) const {
    return packed_line().perf_compare(arguments);
  }
  Outcome trend(const std::vector<std::string>& more) const { return packed_line().trend(more); }
  Outcome index(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"hub", "index", as_user(owner, "indexes", "perf_indexer")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return perf_compare(arguments);
  }
  TrendJson trend_json(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = trend(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    said = outcome.err;
    TrendJson json = TrendJson::parse(outcome.out);
    for (const char* own : {"id", "generated_at", "reproduce"}) {
      json.erase(own);
    }
    return json;
  }

  std::string owner = new_postgres_hub();
  mutable std::string said{};
};

TEST(HubTrend, EqualsTheTrendOfTheSourceStore) {
  const IndexedLine line;
  const Outcome indexed = line.index();
  EXPECT_EQ(indexed.exit_code, 0) << indexed.err;
  EXPECT_NE(indexed.out.find(": indexed 60 payloads of 60 runs\n"), std::string::npos) << indexed.out;
  const std::string reader = as_user(line.owner, "reads", "perf_reader");
  const TrendJson local = line.trend_json({});
  EXPECT_EQ(line.trend_json({"--hub", reader, "--points"}), local);
  EXPECT_NE(line.said.find("alerts were not stored"), std::string::npos)
      << "a reader cannot say so: " << line.said;
  TrendJson bare = local;
  for (TrendJson& series : bare.at("series")) {
    series.erase("points");
  }
  EXPECT_EQ(line.trend_json({"--hub", reader}), bare);
  for (const std::vector<std::string>& some :
       {std::vector<std::string>{"--since", packed_line().oids[15]},
        std::vector<std::string>{"-w", "ca*", "--metric", "step_time"}}) {
    std::vector<std::string> ask = some;
    ask.insert(ask.end(), {"--hub", reader});
    const TrendJson told = line.trend_json(ask);
    ask.push_back("--points");
    TrendJson whole = line.trend_json(ask);
    EXPECT_LT(whole.at("summary").at("points"), local.at("summary").at("points"));
    for (TrendJson& series : whole.at("series")) {
      series.erase("points");
    }
    EXPECT_EQ(told, whole);
  }
}

TEST(HubTrend, StoresShownAlertsInTheHub) {
  const IndexedLine line;
  ASSERT_EQ(line.index().exit_code, 0);
  const std::string nightly = as_user(line.owner, "nightly", "perf_writer, perf_reader");
  const std::vector<std::string> ask{"--hub", nightly, "--fail-on", "new"};
  EXPECT_EQ(line.trend(ask).exit_code, 1);
  EXPECT_EQ(line.trend(ask).exit_code, 1) << "nobody indexed it yet";
  ASSERT_EQ(line.index().exit_code, 0);
  const Outcome known = line.trend(ask);
  EXPECT_EQ(known.exit_code, 0) << known.out << known.err;
  ASSERT_EQ(line.index({"--all"}).exit_code, 0);
  EXPECT_EQ(line.trend(ask).exit_code, 0);
}

TEST(HubTrend, PushesItsConfirmingComparison) {
  const IndexedLine line;
  ASSERT_EQ(line.index().exit_code, 0);
  const std::string nightly = as_user(line.owner, "nightly", "perf_writer, perf_reader");
  const TemporaryFolder folder;
  const std::vector<std::string> ask{"--hub", nightly, "--db", (folder.path() / "own.db").string()};
  std::vector<std::string> confirm = ask;
  confirm.insert(confirm.end(), {"--confirm", "--fail-on", "confirmed", "--json", "-"});
  const Outcome outcome = line.trend(confirm);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const TrendJson json = TrendJson::parse(outcome.out);
  ASSERT_EQ(json["confirmations"].size(), 1U) << outcome.err;
  EXPECT_EQ(json["confirmations"][0]["summary"]["verdict"], "regressed");
  EXPECT_NE(line.index().out.find(" of 1 run\n"), std::string::npos) << "the comparison";
  const TrendJson later = line.trend_json(ask);
  EXPECT_EQ(later["summary"]["known"], 1) << later["alerts"];
  EXPECT_EQ(later["alerts"][0]["confirmed_by"], json["confirmations"][0]["id"]);
}

TEST(HubTrend, IsIndexedOnlyWithTheRight) {
  const IndexedLine line;
  const Outcome denied =
      line.perf_compare({"hub", "index", as_user(line.owner, "reads", "perf_reader")});
  EXPECT_EQ(denied.exit_code, 3);
  EXPECT_NE(denied.err.find("permission denied"), std::string::npos) << denied.err;
}

TEST(HubTrend, NamesForgeriesAndIndexesTheRest) {
  const IndexedLine line;
  postgres::Connection(line.owner, {})
      .execute(
          "INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES ('m', '2026-01', "
          "'x-" +
          std::string(32, 'a') + "', 'text')");
  const Outcome indexed = line.index();
  EXPECT_EQ(indexed.exit_code, 3);
  EXPECT_NE(indexed.err.find("x-" + std::string(32, 'a')), std::string::npos) << indexed.err;
  EXPECT_NE(indexed.out.find("indexed 60 payloads"), std::string::npos);
  EXPECT_EQ(line.index().exit_code, 0);
}

/// What `list` and `show` say, where runs lie in another order.
TrendJson in_order_of_ids(const std::string& text, const char* list) {
  TrendJson json = TrendJson::parse(text);
  json.erase("store");
  std::sort(json.at(list).begin(), json.at(list).end(),
            [](const TrendJson& a, const TrendJson& b) { return a.dump() < b.dump(); });
  return json;
}

TEST(HubTrend, ListsAndShowsLikeAStore) {
  const IndexedLine line;
  ASSERT_EQ(line.index().exit_code, 0);
  const std::string reader = as_user(line.owner, "reads", "perf_reader");
  const auto both = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome here = line.perf_compare(arguments);
    EXPECT_EQ(here.exit_code, 0) << here.err;
    arguments.insert(arguments.end(), {"--hub", reader});
    const Outcome there = line.perf_compare(arguments);
    EXPECT_EQ(there.exit_code, 0) << there.err;
    return std::pair(here.out, there.out);
  };
  for (const std::vector<std::string>& list :
       {std::vector<std::string>{"list", "--limit", "100"},
        std::vector<std::string>{"list", "--limit", "100", "-w", "ca*"}}) {
    const auto [here, there] = both(list);
    EXPECT_EQ(in_order_of_ids(there, "runs"), in_order_of_ids(here, "runs"));
  }
  const auto [run_here, run_there] = both({"show", "machine1-calm-30"});
  EXPECT_EQ(run_there, run_here);
  const auto [here, there] = both({"show", packed_line().oids[30]});
  EXPECT_EQ(in_order_of_ids(there, "runs"), in_order_of_ids(here, "runs"));
  EXPECT_EQ(line.perf_compare({"show", "--hub", reader}).exit_code, 0);
  EXPECT_EQ(line.perf_compare({"show", "nothing", "--hub", reader}).exit_code, 2);
  EXPECT_EQ(line.perf_compare({"list", "--hub", "git:origin"}).exit_code, 2);
}

/// A query of the dashboard as Grafana sends it.
std::string as_sent(std::string sql) {
  const std::vector<std::pair<std::string, std::string>> macros{
      {R"(\$__timeFilter\(([a-z_]+)\))",
       "$1 BETWEEN '1960-01-01T00:00:00Z' AND '2100-01-01T00:00:00Z'"},
      {R"(\$__timeGroup\(([a-z_]+), *'1d'\))", "floor(extract(epoch FROM $1) / 86400) * 86400"},
      {R"(\$workload)", "'claimed','calm'"},
      {R"(\$metric)", "step_time"},
      {R"(\$machine)", "'machine1'"}};
  for (const auto& [macro, text] : macros) {
    sql = std::regex_replace(sql, std::regex(macro), text);
  }
  return sql;
}

TEST(HubTrend, ServesTheDashboard) {
  const IndexedLine line;
  ASSERT_EQ(line.index().exit_code, 0);
  ASSERT_EQ(
      line.trend({"--hub", as_user(line.owner, "nightly", "perf_writer, perf_reader")}).exit_code,
      0);
  ASSERT_EQ(line.index().exit_code, 0);
  postgres::Connection reader(as_user(line.owner, "grafana", "perf_reader"), {});
  const TrendJson board = TrendJson::parse(
      content_of(std::filesystem::path(PERF_SOURCE_DIR) / "docs" / "grafana.json"));
  int queries = 0;
  const auto ask = [&](const std::string& sql) {
    ++queries;
    EXPECT_GT(reader.run(as_sent(sql)).size(), 0U) << sql;
  };
  for (const TrendJson& one : board.at("annotations").at("list")) {
    ask(one.at("rawQuery"));
  }
  for (const TrendJson& one : board.at("templating").at("list")) {
    ask(one.at("query"));
  }
  for (const TrendJson& panel : board.at("panels")) {
    for (const TrendJson& target : panel.at("targets")) {
      ask(target.at("rawSql"));
    }
  }
  EXPECT_EQ(queries, 8);
  EXPECT_EQ(
      reader
          .run("SELECT count(*) FROM perf_compare.perf_points WHERE workload = 'calm' AND metric = "
               "'step_time' AND invocations = 1")
          .integer(0, 0),
      20);
}

}  // namespace
}  // namespace perf::test

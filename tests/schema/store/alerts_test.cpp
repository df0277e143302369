#include <gtest/gtest.h>

#include <limits>

#include "schema/alert.h"
#include "schema/error.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

/// Whole in every field.
Alert alert(const std::string& id = "a1") {
  Alert made;
  made.id = id;
  made.series = {
      "suite/child", {{"layers", std::int64_t{4}}, {"rate", 0.5}, {"fast", true}, {"kind", "x"}},
      "step_time",   "fingerprint",
      "anchor",      "0123456789abcdef"};
  made.kind = AlertKind::drift;
  made.previous_oid = std::string(40, '1');
  made.oid = std::string(40, '2');
  made.baseline = "release";
  made.change = 0.1 + 0.2;
  made.events = {{AlertNews::seen, "2026-01-01T00:00:00Z"}};
  return made;
}

void expect_same(const Alert& a, const Alert& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_TRUE(a.series == b.series);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.previous_oid, b.previous_oid);
  EXPECT_EQ(a.oid, b.oid);
  EXPECT_EQ(a.baseline, b.baseline);
  EXPECT_EQ(a.change, b.change);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].news, b.events[i].news);
    EXPECT_EQ(a.events[i].at, b.events[i].at);
    EXPECT_EQ(a.events[i].run_id, b.events[i].run_id);
  }
}

TEST(StoredAlerts, ComeBackWholeAndInOrder) {
  const example::Folder folder;
  Store store(folder / "results.db");
  EXPECT_TRUE(store.alerts().empty());
  Alert first = alert("z"), second = alert("a");
  second.kind = AlertKind::step;
  second.series.params.clear();
  store.record_alerts({first, second}, {});

  first.events.push_back({AlertNews::confirmed, "2026-01-02T00:00:00Z", "run-9"});
  first.events.push_back({AlertNews::recovered, "2026-01-03T00:00:00Z"});
  store.record_alerts({}, {{"z", first.events[1]}, {"z", first.events[2]}});
  const std::vector<Alert> found = Store(folder / "results.db").alerts();
  ASSERT_EQ(found.size(), 2U);
  expect_same(found[0], first);
  expect_same(found[1], second);
}

TEST(StoredAlerts, HaveAWordForEveryKindAndNews) {
  const example::Folder folder;
  Store store(folder / "results.db");
  std::vector<Alert> all;
  for (const AlertKind kind : {AlertKind::step, AlertKind::slope, AlertKind::drift}) {
    Alert one = alert(std::string(to_string(kind)));
    one.kind = kind;
    for (const AlertNews news :
         {AlertNews::confirmed, AlertNews::refuted, AlertNews::recovered, AlertNews::withdrawn}) {
      one.events.push_back({news, "2026-01-02T00:00:00Z"});
    }
    all.push_back(one);
  }
  store.record_alerts(all, {});
  const std::vector<Alert> found = store.alerts();
  ASSERT_EQ(found.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    expect_same(found[i], all[i]);
  }
}

TEST(StoredAlerts, KeepNewsOnce) {
  const example::Folder folder;
  Store store(folder / "results.db");
  const AlertEvent news{AlertNews::refuted, "2026-01-02T00:00:00Z", "run-9"};
  store.record_alerts({alert()}, {{"a1", news}});
  store.record_alerts({}, {{"a1", news}});
  EXPECT_EQ(store.alerts().front().events.size(), 2U);
}

TEST(StoredAlerts, AreStoredAtomically) {
  const example::Folder folder;
  Store store(folder / "results.db");
  EXPECT_THROW(store.record_alerts({alert()}, {{"no such", {AlertNews::refuted, "now"}}}), Error);
  EXPECT_TRUE(store.alerts().empty());
  store.record_alerts({alert()}, {});
  EXPECT_THROW(store.record_alerts({alert("a2"), alert("a1")}, {}), Error) << "an id twice";
  EXPECT_EQ(store.alerts().size(), 1U);
  Alert broken = alert("a3");
  broken.change = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(store.record_alerts({broken}, {}), Error);
  EXPECT_EQ(store.alerts().size(), 1U);
}

AlertEvent decision(AlertNews news, const std::string& at, const std::string& reason,
                    const std::string& author = "Ada") {
  return {news, at, "", author, reason};
}

AlertEvent latest(const Store& store) {
  return decision_about(store.alerts().at(0)).value();
}

// Whatever the clock says: two in one second, one set back, one that runs ahead by years.
TEST(StoredDecisions, CountByTheLatest) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store.record_alerts({alert()}, {});
  EXPECT_FALSE(decision_about(store.alerts().at(0)));
  for (const char* at : {"2026-01-02T00:00:59Z", "2026-01-02T00:00:59Z", "2025-01-01T00:00:00Z",
                         "2999-12-31T23:59:59Z", "2026-01-03T00:00:00Z"}) {
    for (const AlertNews news : {AlertNews::ignored, AlertNews::acknowledged}) {
      store.record_alerts({}, {{"a1", decision(news, at, "x")}});
      EXPECT_EQ(latest(store).news, news) << at;
    }
  }
  EXPECT_EQ(latest(store).at, "3000-01-01T00:00:02Z");
  EXPECT_EQ(latest(store).author, "Ada");
  EXPECT_EQ(latest(store).reason, "x");
  EXPECT_EQ(store.alerts().at(0).events.size(), 11U) << "none is lost";
}

TEST(StoredDecisions, AreAppendOnly) {
  const example::Folder folder;
  Store(folder / "results.db").record_alerts({alert()}, {});
  store::Connection connection(folder / "results.db", store::Connection::Access::read_write);
  for (const char* change : {"UPDATE alert_event SET at = 'x'", "DELETE FROM alert_event",
                             "INSERT INTO alert_event VALUES (9, 1, 'ignored', 't', '', 'Ada', '')",
                             "INSERT INTO alert_event VALUES (9, 1, 'seen', 't', '', '', 'why')"}) {
    EXPECT_THROW(connection.execute(change), Error) << change;
  }
}

TEST(StoredDecisions, DoNotDependOnTheOrderOfMerging) {
  const example::Folder folder;
  const std::vector<AlertEvent> all{
      decision(AlertNews::ignored, "2026-01-02T00:00:00Z", "x"),
      decision(AlertNews::acknowledged, "2026-01-02T00:00:00Z", "x"),
      decision(AlertNews::ignored, "2026-01-02T00:00:00Z", "y"),
      decision(AlertNews::ignored, "2026-01-02T00:00:00Z", "y", "Grace"),
      decision(AlertNews::fixed, "2026-01-01T00:00:00Z", "z")};
  Alert own = alert();
  own.series.anchor.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Store(folder / std::to_string(i)).record_alerts({own}, {{"a1", all[i]}});
  }
  for (const bool forwards : {true, false}) {
    Store store(folder / (forwards ? "forwards" : "backwards"));
    for (int twice = 0; twice < 2; ++twice) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        store.merge(folder / std::to_string(forwards ? i : all.size() - 1 - i));
      }
    }
    EXPECT_EQ(store.alerts().at(0).events.size(), 1 + all.size());
    EXPECT_EQ(latest(store).author, "Grace");
    EXPECT_EQ(latest(store).reason, "y");
  }
}

}  // namespace
}  // namespace perf

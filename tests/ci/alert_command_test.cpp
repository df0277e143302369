// What people decide about the alerts of `perf-compare trend`, by the command line, on scratch
// repositories whose store was filled by hand.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "schema/text/utc_time.h"
#include "tests/ci/recorded_line.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t kNights = 60, kSlowFrom = 40;

double slowed(std::size_t i) {
  return i >= kSlowFrom ? 0.11 : 0.1;
}

/// A terminal's lines that go on, as one.
std::string unwrapped(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) {
    text.replace(at, 3, " ");
  }
  return text;
}

/// A line with one alert, which was shown.
struct AlertedLine : RecordedLine {
  explicit AlertedLine(const std::string& work = "") : RecordedLine(kNights, kSlowFrom, work) {
    git({"config", "user.name", "Ada"});
    record(0, kNights, slowed);
    id = json_of(trend({"--fail-on", "new", "--json", "-"}), 1)["alerts"].at(0)["id"];
  }

  Outcome alert(const std::string& decision, const std::string& reason,
                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"alert", decision, id.substr(0, 12), "--reason", reason};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return perf_compare(arguments);
  }
  /// The outcomes of these commands, one after the other, their wrapped lines joined.
  void expect(const std::vector<CommandCase>& cases) const {
    expect_outcomes(cases, [this](const std::vector<std::string>& arguments) {
      Outcome outcome = perf_compare(arguments);
      outcome.out = unwrapped(outcome.out);
      return outcome;
    });
  }
  fs::path db() const { return path() / ".perf-compare" / "results.db"; }
  /// As if somebody had decided once.
  void decide(AlertNews news, const std::string& at, const std::string& reason,
              const std::string& author = "Ada") const {
    Store(db()).record_alerts({}, {{id, {news, at, "", author, reason}}});
  }
  Json json(const std::vector<std::string>& more = {}) const {
    return Json::parse(trend(with_more(more, {"--json", "-"})).out);
  }

  std::string id;
};

/// The moment of a commit of a RecordedLine.
std::string at_commit(std::size_t i) {
  return utc_text(1700000000 + 86400 * static_cast<std::int64_t>(i));
}

TEST(AlertCommand, DecidesWhatTrendFailsOnAndLists) {
  const AlertedLine line("110");
  const std::string id = line.id.substr(0, 12);
  EXPECT_EQ(occurrences(line.trend().out, "perf-compare alert ack ALERT --reason TEXT"), 1U);
  line.expect({
      {{"trend"}, 0, {"known: ", "alert " + id}},
      {{"trend", "--fail-on", "confirmed"}, 0, {}},  // no comparison confirmed it yet
      {{"trend", "--confirm"}, 1, {}},
      {{"trend", "--fail-on", "confirmed"}, 1, {}},  // every night from now on
      {{"alert", "ack", id, "--reason", "Grace bisects"}, 0, {"claimed step_time +"}},
      {{"trend", "--fail-on", "confirmed", "--fail-on", "new"},
       0,
       {"known: ", "acknowledged by Ada on 20", "Grace bisects"}},
      {{"alert", "ignore", id, "--reason", "the price of safety"}, 0, {}},
      {{"trend", "--fail-on", "confirmed", "--fail-on", "new"},
       0,
       {"1 ignored", "the price of safety"}},
  });
  const std::string ignored = line.trend().out;
  EXPECT_FALSE(contains(ignored, "known: "));
  EXPECT_EQ(occurrences(ignored, "perf-compare alert"), 0U) << "nothing is open";

  // In the same second or so, and all of it stays.
  line.expect({{{"alert", "ack", id, "--reason", "no, it hurts"}, 0, {}}});
  EXPECT_EQ(line.json()["alerts"][0]["decision"]["reason"], "no, it hurts");
  EXPECT_EQ(line.json()["alerts"][0]["state"], "known");
  EXPECT_EQ(Store(line.db()).alerts().at(0).events.size(), 5U);
}

TEST(AlertCommand, MergesDecisions) {
  const AlertedLine line;
  const std::string other = (line.path().parent_path() / "other.db").string();
  ASSERT_EQ(line.perf_compare({"export", other}).exit_code, 0);
  ASSERT_EQ(line.alert("ignore", "accepted there", {"--db", other}).exit_code, 0);
  EXPECT_EQ(line.json()["alerts"][0]["state"], "known");
  const Outcome merged = line.perf_compare({"merge", other});
  EXPECT_TRUE(contains(merged.out, "events of 1 alert")) << merged.err;
  EXPECT_EQ(line.perf_compare({"merge", other}).exit_code, 0) << "twice is once";
  const Json json = line.json();
  EXPECT_EQ(json["alerts"][0]["state"], "ignored");
  EXPECT_EQ(json["alerts"][0]["decision"]["author"], "Ada");
  EXPECT_EQ(json["alerts"][0]["decision"]["reason"], "accepted there");
  EXPECT_EQ(json["summary"]["ignored"], 1);
  EXPECT_EQ(Store(line.db()).alerts().at(0).events.size(), 2U);
}

TEST(AlertCommand, EscapesReasonsInEveryFormat) {
  const AlertedLine line;
  const std::string hostile = "a|b <script>x</script>\n::error::planted \x1b[31mred @team why";
  const auto file = [&](const char* name) { return (line.path().parent_path() / name).string(); };
  for (const AlertNews news : {AlertNews::acknowledged, AlertNews::ignored, AlertNews::fixed}) {
    line.decide(news, "2000-01-01T00:00:00Z", hostile, hostile);  // each later than the last
    const std::string summary = file("summary.md");
    fs::remove(summary);
    const Outcome outcome =
        line.perf_compare({"trend", "--markdown", file("a.md"), "--html", file("a.html"), "--json",
                           file("a.json"), "--junit", file("a.xml"), "--github"},
                          {{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", summary}});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json json = Json::parse(content_of(file("a.json")));
    EXPECT_EQ(json["alerts"][0]["decision"]["reason"], hostile);
    for (const std::string& text :
         {outcome.out, content_of(file("a.md")), content_of(file("a.html")), content_of(summary),
          content_of(file("a.xml"))}) {
      EXPECT_TRUE(contains(text, "planted") && contains(text, "2000")) << text;
      EXPECT_FALSE(contains(text, "\x1b"));
      EXPECT_FALSE(contains(text, "\n::error::planted"));
    }
    for (const char* name : {"a.md", "a.html", "summary.md", "a.xml"}) {
      EXPECT_FALSE(contains(content_of(file(name)), "<script>x")) << name;
    }
    EXPECT_FALSE(contains(content_of(file("a.md")), "@team"));
  }
}

TEST(AlertCommand, RefusesInvalidDecisions) {
  const AlertedLine line;
  const std::string id = line.id, prefix = id.substr(0, 12);
  std::string mistyped = prefix;
  mistyped[5] = mistyped[5] == '0' ? '1' : '0';
  line.expect({
      {{"alert", "ack", id}, 2, {"error: --reason is required\n"}},
      {{"alert", "ack", id, "--reason", ""}, 2, {"error: --reason must not be empty\n"}},
      {{"alert", "ack", id, "--reason", " \t\n"}, 2, {"error: --reason must not be empty\n"}},
      {{"alert", "ack", id, "--reason", std::string(1001, 'x')},
       2,
       {"at most 1000 bytes, got 1001"}},
      {{"alert", "ignored", id, "--reason", "x"}, 2, {"did you mean \"ignore\"?"}},
      {{"alert", "ack", "--reason", "x"}, 2, {"ID"}},
      {{"alert", "ack", mistyped, "--reason", "x"}, 2, {"did you mean " + prefix}},
      {{"alert", "ack", "zzzzzzzzzzzz", "--reason", "x"}, 2, {"perf-compare trend shows them"}},
  });
  Alert twin = Store(line.db()).alerts().at(0);
  twin.id.back() = twin.id.back() == '0' ? '1' : '0';
  twin.series.workload = "twin";
  twin.oid = std::string(40, 'e');  // of no commit that is here
  Store(line.db()).record_alerts({twin}, {});
  line.expect({
      {{"alert", "ack", prefix, "--reason", "x"}, 2, {"(twin step_time +"}},
      {{"alert", "ignore", twin.id, "--reason", "gone"}, 0, {"ignored"}},
      {{"trend"}, 0, {"1 known"}},  // the other one is untouched
  });
  const RecordedLine empty(1, 1, "");
  EXPECT_EQ(empty.perf_compare({"alert", "ack", id, "--reason", "x"}).exit_code, 3) << "no store";
  EXPECT_FALSE(fs::exists(empty.path() / ".perf-compare"));
}

TEST(AlertCommand, ReportsDecisionsWithoutEffect) {
  const AlertedLine line;
  const Alert shown = Store(line.db()).alerts().at(0);
  const AlertEvent seen = shown.events.at(0);
  for (const auto& [events, words] : std::vector<std::pair<std::vector<AlertEvent>, const char*>>{
           {{}, "part of a machine event; the decision"},
           {{seen, {AlertNews::withdrawn, seen.at}}, "applies if it returns"},
           {{seen, {AlertNews::recovered, seen.at}}, "has no effect"}}) {
    Alert other = shown;
    other.id = std::string(words).substr(0, 4) + std::string(28, '0');
    other.oid = std::string(40, 'e');
    other.events = events;
    Store(line.db()).record_alerts({other}, {});
    const Outcome outcome = line.perf_compare({"alert", "ack", other.id, "--reason", "x"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, words));
  }
  EXPECT_FALSE(contains(line.alert("ack", "x").out, "\n  "));
}

TEST(AlertCommand, ReopensAFixedAlertThatPersists) {
  const AlertedLine line;
  line.decide(AlertNews::fixed, at_commit(kNights - 3), "reverted");
  EXPECT_EQ(line.trend({"--fail-on", "new"}).exit_code, 0) << "two points say nothing yet";
  line.decide(AlertNews::acknowledged, at_commit(kNights - 3), "not yet merged");
  EXPECT_EQ(line.json()["alerts"][0]["state"], "known");

  const AlertedLine other;
  other.decide(AlertNews::fixed, at_commit(kSlowFrom + 5), "reverted");
  other.expect({
      {{"trend", "--fail-on", "new"},
       1,
       {"1 reopened alert: claimed is slower", "later points contradict it"}},
      {{"alert", "ack", other.id, "--reason", "now really"}, 0, {}},
      {{"trend", "--fail-on", "new"}, 0, {}},
  });
}

TEST(AlertCommand, ConfirmsOnlyUndecidedAlerts) {
  const AlertedLine line("110");
  const auto confirmed = [&] { return line.json({"--confirm"})["confirmations"].size(); };
  for (const char* decision : {"ignore", "fixed"}) {
    EXPECT_EQ(line.alert(decision, "x").exit_code, 0);
    EXPECT_EQ(confirmed(), 0U) << decision;
  }
  EXPECT_EQ(line.alert("ack", "x").exit_code, 0);
  const Outcome outcome = line.trend({"--confirm", "--fail-on", "confirmed", "--json", "-"});
  EXPECT_EQ(Json::parse(outcome.out)["summary"]["confirmed"], 1) << outcome.err;
  EXPECT_EQ(outcome.exit_code, 0) << "somebody looks at it";
}

TEST(AlertCommand, ConfirmsTheLikeliestFirst) {
  RecordedLine line(kNights, kSlowFrom, "130");
  // The larger change is the less clear one: its noise is ten times that of the other.
  line.record(0, kNights, [](std::size_t i) {
    return (i >= kSlowFrom ? 0.2 : 0.1) * (i % 3 == 0 ? 1.25 : i % 3 == 1 ? 0.8 : 1);
  });
  line.record(
      0, kNights, [](std::size_t i) { return i >= 20 ? 0.13 : 0.1; }, "machine2");
  const Outcome outcome = line.trend({"--confirm", "--budget", "1ms", "--json", "-"});
  const Json json = Json::parse(outcome.out);
  ASSERT_EQ(json["summary"]["new"], 2) << json["alerts"];
  ASSERT_GT(json["alerts"][1]["change"], json["alerts"][0]["change"]);
  ASSERT_EQ(json["confirmations"].size(), 1U) << outcome.err;
  EXPECT_EQ(json["confirmations"][0]["head"]["oid"], json["alerts"][0]["oid"]);
  EXPECT_TRUE(contains(json["warnings"].dump(), "2 of 2 comparisons are left: the budget is spent"))
      << json["warnings"];
  const Json later = Json::parse(line.trend({"--confirm", "--json", "-"}).out);
  ASSERT_EQ(later["confirmations"].size(), 2U);
  EXPECT_EQ(later["confirmations"][0]["head"]["oid"], json["alerts"][0]["oid"]);
  EXPECT_FALSE(contains(later["warnings"].dump(), "comparisons are left")) << later["warnings"];
}

// The likeliest is told of; the other, a second a process, ends the budget.
TEST(AlertCommand, ReportsComparisonsBeyondTheBudget) {
  RecordedLine line(kNights, 20, "130");
  line.write("perf-compare.json", R"({ "workloads": [ { "name": "claimed", "command":
    ["sh", "-c", "test $(cat work) != 150 || sleep 1; exec ./bench"] } ] })");
  line.write("work", "150");
  for (int i = 0; i < 8; ++i) {
    line.write("night", std::to_string(i));
    line.oids.push_back(line.commit("More"));
  }
  line.record(0, line.oids.size(), [](std::size_t i) { return i >= kNights ? 0.106 : 0.1; });
  line.record(
      0, kNights, [](std::size_t i) { return i >= 20 ? 0.13 : 0.1; }, "machine2");
  const Json json = json_of(line.trend({"--confirm", "--budget", "5s", "--json", "-"}), 1);
  ASSERT_EQ(json["summary"]["new"], 2) << json["alerts"];
  EXPECT_EQ(json["summary"]["confirmed"], 1) << json["alerts"];
  EXPECT_EQ(json["confirmations"].at(0)["head"]["oid"], line.oids[20]);
  EXPECT_EQ(json["confirmations"].at(0)["summary"]["verdict"], "regressed");
  const std::string warnings = json["warnings"].dump();
  EXPECT_TRUE(contains(warnings, "1 of 2 comparisons are left: the budget is spent; at "));
  EXPECT_TRUE(contains(warnings, "they need --budget "));
}

}  // namespace
}  // namespace perf::test

// What `selftest` says, to people and to programs.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

SelftestRow row_of(PlantKind kind, PlantWay way, double amount, SelftestOutcome outcome,
                   const std::string& why = {}) {
  SelftestRow row;
  row.plant = {"training/mlp", kind, way, amount, way == PlantWay::stop_and_go ? 0.005 : 0};
  row.workload = "training/mlp";
  row.metric = kind == PlantKind::allocation ? kPeakRss : kStepTime;
  row.expected = kind == PlantKind::nothing ? Verdict::unchanged : Verdict::regressed;
  if (outcome != SelftestOutcome::refused) {
    row.verdict = outcome == SelftestOutcome::caught || outcome == SelftestOutcome::false_alarm
                      ? Verdict::regressed
                      : Verdict::unchanged;
    row.change = *row.verdict == Verdict::regressed ? 0.153 : 0.001;
    row.interval = Interval{*row.change - 0.01, *row.change + 0.01};
    row.pairs = 16;
  }
  row.threshold = 0.1;
  row.seconds = 12.5;
  row.outcome = outcome;
  row.why = why;
  return row;
}

Selftest works() {
  Selftest selftest;
  selftest.runs = {"0f", "0f-slowdown", "0f-allocation"};
  selftest.generated_at = "2026-01-31T12:00:00Z";
  selftest.tool_version = "0.1.0";
  selftest.revision = {"9b171b01188e5c2f3a4d5e6f708192a3b4c5d6e7",
                       {},
                       1769860800,
                       "Ada",
                       "Add a benchmark",
                       "HEAD",
                       "HEAD, on branch main",
                       false};
  selftest.size = "smoke";
  selftest.seed = 7;
  selftest.measured = 95;
  selftest.state = GateState::works;
  selftest.rows = {
      row_of(PlantKind::nothing, PlantWay::none, 0, SelftestOutcome::passed),
      row_of(PlantKind::slowdown, PlantWay::stop_and_go, 0.15, SelftestOutcome::caught),
      row_of(PlantKind::allocation, PlantWay::preload, 3 << 20, SelftestOutcome::caught),
  };
  return selftest;
}

Selftest broken() {
  Selftest selftest = works();
  selftest.state = GateState::broken;
  selftest.rows[0] = row_of(PlantKind::nothing, PlantWay::none, 0, SelftestOutcome::false_alarm,
                            "nothing was planted");
  selftest.rows[1] = row_of(PlantKind::slowdown, PlantWay::parameter, 0.15, SelftestOutcome::missed,
                            "called unchanged");
  selftest.rows[2] = row_of(PlantKind::allocation, PlantWay::none, 0, SelftestOutcome::refused,
                            "it is linked statically");
  return selftest;
}

TEST(SelftestPage, ReportsThatTheGateWorks) {
  EXPECT_EQ(
      render_terminal(works(), false),
      "The gate works: 2 of 2 planted changes were caught, and A/A raised no alarm\n"
      "\n"
      "  workload      metric     planted                                      change  pairs  "
      "outcome\n"
      "  training/mlp  step_time  15 % slower, by stopping it  "
      "+15.3 % [+14.3, +16.3]     16  caught\n"
      "  training/mlp  peak_rss   +3.00 MiB, by preload        "
      "+15.3 % [+14.3, +16.3]     16  caught\n"
      "\n"
      "  nothing planted: 1 of 1 verdict unchanged\n"
      "  in 9b171b0118 Add a benchmark (HEAD)\n"
      "  planted at 1.5 times each threshold; 1 min 35 s of measuring, size smoke, seed 7\n");
}

TEST(SelftestPage, HasMarkdownAndHtml) {
  const std::string markdown = render_markdown(broken());
  EXPECT_EQ(markdown.find("### ❌ The gate does not work: 0 of 2 planted"), 0U) << markdown;
  EXPECT_TRUE(contains(markdown, "- `training/mlp` `peak_rss`: it is linked statically"));
  EXPECT_TRUE(contains(render_html(works()), "The gate works"));
}

TEST(SelftestPage, ReportsMissedRefusedAndFalseAlarms) {
  const std::string text = render_terminal(broken(), false);
  EXPECT_EQ(text.substr(0, text.find("\n\n")),
            "The gate does not work: 0 of 2 planted changes were caught, 1 missed, 1 could not be "
            "planted; A/A\nraised 1 false alarm");
  EXPECT_TRUE(contains_all(text, {"false alarm", "nothing was planted", "called unchanged",
                                  "it is linked statically", "nothing planted: 0 of 1"}));
}

TEST(SelftestPage, ReportsAnUnprovenGate) {
  Selftest selftest = works();
  selftest.state = GateState::unproven;
  selftest.interrupted = true;
  selftest.rows[2].outcome = SelftestOutcome::not_measured;
  const std::string text = render_terminal(selftest, false);
  EXPECT_EQ(text.find("The gate is not proven to work: 1 of 2"), 0U) << text;
  EXPECT_TRUE(contains_all(text, {"1 not measured", "interrupted"}));
}

TEST(SelftestPage, ShowsHostileTextsAsText) {
  Selftest selftest = broken();
  for (const std::string& text : samples::hostile_texts()) {
    selftest.revision.subject = selftest.revision.name = text;
    for (SelftestRow& row : selftest.rows) {
      row.workload = row.metric.name = row.why = text;
    }
    EXPECT_FALSE(samples::is_obeyed(render_terminal(selftest, false))) << text;
    EXPECT_TRUE(nlohmann::json::accept(render_selftest_json(selftest)));
  }
}

TEST(SelftestJson, HasEveryRow) {
  const nlohmann::json document = nlohmann::json::parse(render_selftest_json(works()));
  EXPECT_EQ(document["schema"], "perf-compare/selftest/1");
  EXPECT_EQ(document["state"], "works");
  EXPECT_EQ(document["runs"].size(), 3U);
  const nlohmann::json& row = document["rows"][1];
  EXPECT_EQ(row["planted"], nlohmann::json::parse(R"({"kind": "slowdown", "way": "stop_and_go",
      "amount": 0.15, "unit": "1", "period": 0.005})"));
  EXPECT_EQ(row["expected"], "regressed");
  EXPECT_EQ(row["outcome"], "caught");
  EXPECT_EQ(row["change"], 0.153);
}

TEST(SelftestJson, FitsItsPublishedSchemaWhichDescribesAllOfIt) {
  if (!samples::has_json_schema()) {
    GTEST_SKIP() << "python3-jsonschema is not installed";
  }
  const std::string schema = "selftest.schema.json";
  EXPECT_EQ(
      samples::misfit(schema, {render_selftest_json(works()), render_selftest_json(broken())}), "");
  nlohmann::json wrong = nlohmann::json::parse(render_selftest_json(works()));
  wrong["rows"][0]["outcome"] = "lost";
  EXPECT_NE(samples::misfit(schema, {wrong.dump()}), "");
  wrong = nlohmann::json::parse(render_selftest_json(works()));
  wrong["unheard_of"] = 1;
  EXPECT_NE(samples::misfit(schema, {wrong.dump()}), "");
}

}  // namespace
}  // namespace perf

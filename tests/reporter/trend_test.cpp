#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "reporter/render.h"
#include "reporter/trend/findings.h"
#include "schema/text/utf8.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using Json = nlohmann::json;
using test::expect_golden;

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

TEST(TrendReports, MatchTheirGoldens) {
  for (const samples::NamedTrend& sample : samples::all_trends()) {
    expect_golden(sample.name + ".txt", render_terminal(sample.report, false));
    expect_golden(sample.name + ".md", render_markdown(sample.report));
  }
  expect_golden("trend_moved.json", render_trend_json(samples::moved_history()));
  expect_golden("trend_empty.json", render_trend_json(samples::empty_history()));
}

TEST(TrendReports, ShowNewAlertsFirst) {
  const std::string text = render_terminal(samples::moved_history(), false);
  EXPECT_EQ(
      text.rfind("3 new alerts, the clearest: parser is slower, step_time +12.4 % [+10.9,", 0), 0U)
      << text;
  EXPECT_TRUE(
      contains_all(text, {"Use a map", "412 ms -> 463 ms", "noise 0.81 % before, 1.2 % after",
                          "changed there: blas_core: Haswell -> SkylakeX",
                          "to verify: perf-compare b97531fdb975 210fedcba987 -w parser"}));
}

TEST(TrendReports, FoldSuspectsInASlopeOfTheMachine) {
  TrendReport report = samples::moved_history();
  const auto series = std::ranges::find_if(
      report.series, [](const TrendSeries& one) { return !one.suspects.empty(); });
  const ChangePoint suspect = series->suspects[0];
  const std::string listed = "suspect: " + series->key.workload;
  EXPECT_TRUE(contains(render_terminal(report, false), listed));
  series->trend.emplace();
  series->trend->of_machine = true;
  series->trend->previous = suspect.commit - 3;
  series->trend->commit = suspect.commit + 1;
  const std::string text = render_terminal(report, false);
  EXPECT_FALSE(contains(text, listed));
  EXPECT_TRUE(contains(text, "suspect: 1 in series that slope like most of their machine"));
  series->trend->commit = suspect.commit - 1;
  EXPECT_TRUE(contains(render_terminal(report, false), listed)) << "after it";
}

TEST(TrendReports, ShowKnownAndClosedAlerts) {
  const std::string text = render_terminal(samples::moved_history(), false);
  EXPECT_TRUE(
      contains(text, "known: parser peak_rss +6.0 % [+4.5, +7.4], in one of 4 commits after"))
      << text;
  EXPECT_TRUE(contains_all(
      text,
      {"first shown 2026-01-31", "recovered: training/mlp_stack step_time is back where it was",
       "withdrawn: tokenizer tokens_per_second",
       "refuted: a comparison found no regression of quantization/int8"}));
}

TEST(TrendReports, BlameNoCommitForMachineEvents) {
  const std::string text = render_terminal(samples::moved_history(), false);
  EXPECT_TRUE(
      contains(text, "machine: 5 of 6 series of machine 1f2e3d4c moved together, median +3.4 %"))
      << text;
  EXPECT_TRUE(contains(text, "changed there: kernel: 6.1.0-12 ->"));
  EXPECT_TRUE(contains(text, "machine, known: 3 of 6"));
  EXPECT_LT(text.find("machine: 5 of 6"), text.find("machine, known: 3 of 6")) << "new ones first";
}

TEST(TrendReports, ReportMachineEventsFirst) {
  TrendReport report = samples::quiet_history();
  const ChangePoint step = samples::moved_history().series[0].change_points[0];
  report.machine_events = {{samples::moved_history().machine_events[0]}};
  for (std::size_t i = 0; i < 7; ++i) {
    report.series.push_back(report.series[0]);
    report.series.back().key.workload = "w" + std::to_string(i);
    report.series.back().change_points = {step};
    report.series.back().change_points[0].state = AlertState::none;
    report.series.back().change_points[0].machine_event = 0;
    report.series.back().change_points[0].change = 0.01 * static_cast<double>(i + 1);
  }
  const std::string text = render_terminal(report, false);
  EXPECT_EQ(
      text.rfind("Nothing blamed on a commit, but 5 of 6 series of machine 1f2e3d4c moved", 0), 0U)
      << text;
  EXPECT_TRUE(contains_all(text, {"to distinguish machine and commit: perf-compare",
                                  "w6 step_time +7.0 %", "and 2 more"}));
  EXPECT_FALSE(contains(text, "w1 step_time"));
  report.machine_events[0].known = true;
  const std::string later = render_terminal(report, false);
  EXPECT_EQ(later.rfind("Nothing new", 0), 0U) << later;
  EXPECT_TRUE(contains(later, "to distinguish machine and commit"));
}

TEST(TrendReports, ShowTheFalseAlarmRate) {
  const std::string text = render_terminal(samples::moved_history(), false);
  EXPECT_TRUE(contains_all(text, {"0.4 per 1,000 points", "every night (8 in 20,000)",
                                  "0.06 per 1,000 points", "; 0.1 expected"}));
  const std::string quiet = render_terminal(samples::quiet_history(), false);
  EXPECT_TRUE(contains(quiet, "none in one") || contains(quiet, "none in\n")) << quiet;
}

/// Not by size: the slope is the smallest of the three.
TEST(TrendReports, RankAlertsByEvidence) {
  TrendReport report = samples::moved_history();
  report.series[2].trend->evidence = 40;
  const std::string text = render_terminal(report, false);
  EXPECT_EQ(text.rfind("3 new alerts, the clearest: training/mlp_stack is slower", 0), 0U) << text;
  EXPECT_LT(text.find("+4.5 %"), text.find("+11.2 %"));
  const std::string json = render_trend_json(report);
  const std::size_t alerts = json.find("\"alerts\":");
  EXPECT_LT(json.find("\"slope\"", alerts), json.find("\"step\"", alerts));
  EXPECT_LT(json.find("\"change\":0.124", alerts), json.find("\"change\":0.06,", alerts));
}

TEST(TrendReports, ShowTheRateOfEquallyLargeFalseAlarms) {
  TrendReport report = samples::moved_history();
  EXPECT_TRUE(contains(render_terminal(report, false),
                       "false alarms as large: 0.008 or fewer per 1,000 points"));
  report.series[0].change_points[0].false_alarms = 0.0217;
  EXPECT_TRUE(
      contains(render_terminal(report, false), "false alarms as large: 0.022 per 1,000 points"));
}

TEST(TrendReports, ReportThatNothingMoved) {
  const std::string text = render_terminal(samples::quiet_history(), false);
  EXPECT_EQ(first_line(text), "Nothing new: none of 2 series moved since 2026-01-01");
}

TEST(TrendReports, ShowTheSmallestVisibleStep) {
  TrendReport report = samples::quiet_history();
  EXPECT_TRUE(contains(render_markdown(report),
                       "a step of 1.4 % or more would have been found within 10 commits in half of "
                       "the series, of 3.1 % or more in all"));
  report.visible_in_half = report.visible_in_all;
  EXPECT_TRUE(contains(render_markdown(report),
                       "a step of 3.1 % or more would have been found within 10 commits\n"));
  report.visible_in_half = report.visible_in_all = std::nullopt;
  EXPECT_FALSE(contains(render_markdown(report), "would have been seen"));
}

TEST(TrendReports, ShowWhatCanBeFoundInTheFirstNights) {
  TrendReport report = samples::first_night();
  EXPECT_FALSE(contains(render_terminal(report, false), "7 nights"));
  report.findable_in_week = 0.0781;
  EXPECT_TRUE(contains(render_markdown(report),
                       "no step can be found yet, one of 7.9 % or more in 7 nights"));
  report.findable_now = 0.2;
  EXPECT_TRUE(contains(render_markdown(report),
                       "a step of 20 % or more can be found now, of 7.9 % or more in 7 nights"));
  EXPECT_TRUE(contains(render_trend_json(report), "\"findable_now\":0.2"));
}

TEST(TrendReports, ShowWhatMostSeriesShare) {
  TrendReport report = samples::moved_history();
  MachineEvent& event = report.machine_events[0];
  event.evidence = 6;
  event.false_alarms = 0.065;
  const auto shows = [&](const std::string& text) {
    return contains(render_markdown(report), text);
  };
  EXPECT_TRUE(shows("no commit is blamed; false alarms as large: 0.065 per 1,000 points"))
      << render_markdown(report);
  event.programs_changed = false;
  EXPECT_TRUE(shows("their programs did not change there: no commit is blamed"));
  event.programs_changed = true;
  EXPECT_TRUE(shows("their programs changed there"));
  const Json json = Json::parse(render_trend_json(report));
  EXPECT_EQ(json["machine_events"][0]["programs_changed"], true);
  EXPECT_EQ(json["machine_events"][0]["false_alarms_per_1000_points"], 0.065);
}

TEST(TrendReports, MarkWhereTheNoiseChanges) {
  TrendReport report = samples::quiet_history();
  report.series[0].noise_changes = {{30, 29, 30, 0.06, 0.01}};
  const std::string text = render_terminal(report, false);
  EXPECT_TRUE(contains(text, "noise of parser step_time fell from 6 % to 1 % at "));
  EXPECT_TRUE(contains(first_line(text), "Nothing new")) << "no alert";
  EXPECT_TRUE(contains(render_html(report), "noise fell from 6 % to 1 % at "));
  const Json json = Json::parse(render_trend_json(report));
  EXPECT_EQ(json["series"][0]["noise_changes"][0]["before"], 0.06);
  EXPECT_EQ(json["series"][0]["noise_changes"][0]["oid"], report.commits[30].oid);
  report.series[0].noise_changes[0] = {30, 29, 30, 0.01, 0.03};
  EXPECT_TRUE(contains(render_terminal(report, false), "rose from 1 % to 3 %"));
}

TEST(TrendReports, ShowChangedTails) {
  TrendReport report = samples::quiet_history();
  ChangePoint tail;
  tail.previous = 29;
  tail.index = tail.commit = 30;
  tail.change = 0.12;
  tail.before = 1.08;
  tail.worse = true;
  tail.confirm = "perf-compare a b --metric step_time.p90";
  report.series[0].tails = {tail};
  const std::string text = render_terminal(report, false);
  EXPECT_TRUE(contains(text, "slower tail: parser step_time +12.0 %, at "));
  EXPECT_TRUE(contains(text, "perf-compare a b --metric step_time.p90"));
  EXPECT_TRUE(contains(first_line(text), "Nothing new")) << "no alert";
  EXPECT_TRUE(contains(render_html(report), "slower tail +12.0 % at "));
  const Json json = Json::parse(render_trend_json(report));
  EXPECT_EQ(json["series"][0]["tails"][0]["before"], 1.08);
  EXPECT_EQ(json["series"][0]["tails"][0]["oid"], report.commits[30].oid);
  EXPECT_EQ(json["summary"]["suspects"], 1);
  report.series[0].tails[0].worse = false;
  EXPECT_TRUE(contains(render_terminal(report, false), "faster tail: parser step_time"));
}

TEST(TrendReports, ShowTheNextStepOnTheFirstNights) {
  const std::string empty = render_terminal(samples::empty_history(), false);
  EXPECT_EQ(empty.rfind("No data yet: no measurement of size ci", 0), 0U) << empty;
  EXPECT_TRUE(contains(empty, "perf-compare collect HEAD"));
  const std::string young = render_terminal(samples::first_night(), false);
  EXPECT_TRUE(
      contains(young, "a step of 10 % needs about 9 measured commits to be found, of 1 so far"))
      << young;
}

TEST(TrendReports, ShowComparisons) {
  const std::string text = render_terminal(samples::confirmed_history(), false);
  EXPECT_TRUE(contains(text, "of 1 comparison run to verify: 1 regressed, 0 did not"));
  EXPECT_TRUE(contains(text, "confirmed by the comparison "));
  EXPECT_FALSE(contains(text, "to verify: perf-compare b97531fdb975 210fedcba987 -w parser\n\n"));
}

TEST(TrendReports, FitOnOneScreen) {
  const std::string text = render_terminal(samples::long_history(200, 100), false);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 100);
  EXPECT_TRUE(contains(text, "188 more new alerts"));
  EXPECT_LE(render_markdown(samples::long_history(2000, 42)).size(), 900U << 10);
}

TEST(TrendJson, HoldsPointsAndFindings) {
  const TrendReport report = samples::moved_history();
  const Json json = Json::parse(render_trend_json(report));
  EXPECT_EQ(json["schema"], "perf-compare/trend/1");
  EXPECT_EQ(json["summary"]["new"], 3);
  EXPECT_EQ(json["summary"]["known"], 1);
  EXPECT_EQ(json["summary"]["recovered"], 1);
  EXPECT_EQ(json["summary"]["withdrawn"], 1);
  EXPECT_EQ(json["summary"]["refuted"], 1);
  EXPECT_EQ(json["summary"]["suspects"], 1);
  EXPECT_EQ(json["summary"]["points"], 360);
  const Json& series = json["series"][0];
  EXPECT_EQ(series["workload"], "parser");
  ASSERT_EQ(series["points"].size(), 60U);
  EXPECT_EQ(series["points"][30]["oid"], report.commits[30].oid);
  EXPECT_EQ(series["points"][30]["value"].get<double>(), report.series[0].points[30].value);
  const Json& step = series["change_points"][0];
  EXPECT_EQ(step["index"], 30);
  EXPECT_EQ(step["oid"], report.commits[30].oid);
  EXPECT_EQ(step["previous_oid"], report.commits[29].oid);
  EXPECT_EQ(step["state"], "new");
  EXPECT_TRUE(step["first_seen"].is_null());
  EXPECT_EQ(json["series"][5]["unit"], "1") << "a ratio";
  EXPECT_TRUE(json["series"][5]["environment"].is_null());
  EXPECT_EQ(json["series"][5]["anchor"]["name"], "release");
}

TEST(TrendJson, ListsEveryAlertOnce) {
  const Json json = Json::parse(render_trend_json(samples::moved_history()));
  std::map<std::string, int> states, kinds;
  for (const Json& alert : json["alerts"]) {
    ++states[alert["state"]];
    ++kinds[alert["kind"]];
  }
  EXPECT_EQ(states,
            (std::map<std::string, int>{
                {"new", 3}, {"known", 1}, {"recovered", 1}, {"withdrawn", 1}, {"refuted", 1}}));
  EXPECT_EQ(kinds["slope"], 1);
  EXPECT_EQ(kinds["drift"], 1);
}

TEST(TrendJson, SortsItsKeysAndRoundTrips) {
  TrendReport report = samples::moved_history();
  report.series[0].points[0].value = 0.1 + 0.2;
  report.series[0].points[1].value = 5e-324;
  report.series[0].points[2].value = std::nan("");
  const std::string text = render_trend_json(report);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["series"][0]["points"][0]["value"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(json["series"][0]["points"][1]["value"].get<double>(), 5e-324);
  EXPECT_TRUE(json["series"][0]["points"][2]["value"].is_null());
  const auto keys_of = [](const nlohmann::ordered_json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) {
      keys.push_back(key);
    }
    return keys;
  };
  const nlohmann::ordered_json ordered = nlohmann::ordered_json::parse(text);
  for (const auto& keys : {keys_of(ordered), keys_of(ordered["series"][0]),
                           keys_of(ordered["series"][0]["points"][0])}) {
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  }
}

TEST(TrendNames, ShowOnlyWhatDiffers) {
  TrendReport report = samples::quiet_history();
  const auto text_of = [&](std::size_t index) {
    std::string text;
    for (const reporter::Span& span :
         reporter::SeriesNames(report).workload(report.series[index])) {
      text += span.text;
    }
    return text;
  };
  EXPECT_EQ(text_of(0), "parser");
  report.series.push_back(report.series[0]);
  report.series[2].key.fingerprint = "ffffffffffffffff";
  EXPECT_EQ(text_of(0), "parser (machine 1f2e3d4c)");
  report.series[2].key.params = {{"size", std::int64_t{4}}};
  EXPECT_EQ(text_of(2), "parser (size=4, machine ffffffff)");
  for (const std::size_t i : {0, 2}) {
    report.series[i].key.params["layers"] = std::int64_t{2};
  }
  EXPECT_EQ(text_of(0), "parser (machine 1f2e3d4c)") << "both have two layers";
  EXPECT_EQ(text_of(2), "parser (size=4, machine ffffffff)");
  EXPECT_EQ(text_of(1), "parser");
}

TEST(TrendValues, ShowTheStepWithoutOutliers) {
  TrendReport report = samples::moved_history();
  TrendSeries& series = report.series[0];
  series.points[25].value = 100;
  const std::string line = reporter::history_line(series, &series.change_points[0]);
  const std::vector<char32_t> blocks = decode_utf8(line);
  ASSERT_EQ(blocks.size(), 40U);
  // Points 20 to 59: the step is at 10.
  for (std::size_t i = 0; i < 10; ++i) {
    if (i != 5) {
      EXPECT_LE(blocks[i], U'\u2584') << i;
    }
  }
  for (std::size_t i = 10; i < 40; ++i) {
    EXPECT_GE(blocks[i], U'\u2585') << i;
  }
}

TEST(TrendReports, ShowHostileTextsAsText) {
  for (const std::string& text : samples::hostile_texts()) {
    const TrendReport report = samples::poisoned_history(text);
    for (const std::string& output : {render_terminal(report, false), render_markdown(report)}) {
      EXPECT_FALSE(samples::is_obeyed(output)) << text;
    }
    EXPECT_FALSE(contains(render_markdown(report), "<script")) << text;
    EXPECT_NO_THROW(Json::parse(render_trend_json(report)));
  }
}

}  // namespace
}  // namespace perf

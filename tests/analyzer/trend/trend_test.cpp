#include "analyzer/trend/trend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/false_alarms.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;
using scripted::stepped;

std::vector<const ChangePoint*> in_state(const TrendReport& report, AlertState state) {
  std::vector<const ChangePoint*> found;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points) {
      if (step.state == state) {
        found.push_back(&step);
      }
    }
  }
  return found;
}

std::size_t alerts(const TrendReport& report) {
  std::size_t count = in_state(report, AlertState::fresh).size();
  for (const TrendSeries& series : report.series) {
    count += series.trend && series.trend->state == AlertState::fresh ? 1 : 0;
    for (const Drift& drift : series.drifts) {
      count += drift.state == AlertState::fresh ? 1 : 0;
    }
  }
  return count;
}

TEST(Trend, BlamesNoCommitForAnEditedBenchmark) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "x", noisy(50, 0.01, 1));
  scripted::add_series(history, "x", noisy(50, 0.01, 2, 0.17), "m1", kStepTime, 50).outside = "new";
  TrendInputs inputs = history.inputs();
  inputs.entries.emplace()["x"] = "new";
  const TrendReport report = trend(inputs);
  ASSERT_EQ(report.series.size(), 2U);
  EXPECT_EQ(alerts(report), 0U);
  EXPECT_FALSE(report.series[0].can_be_compared) << "the config brings another";
  EXPECT_TRUE(report.series[1].can_be_compared);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(
      reporter::sentence(report.warnings[0]),
      "x: the benchmark outside the repository was changed, or values were imported: each has its "
      "own series, and no commit is blamed for their differences");
  const SeriesKey &old = report.series[0].key, &now = report.series[1].key;
  EXPECT_NE(alert_id(old, AlertKind::step, "a", "", 0), alert_id(now, AlertKind::step, "a", "", 0));
}

TEST(Trend, NamesTheCommitOfAStepInOneOfTwentySeries) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    History history = scripted::history_of(100);
    scripted::add_clean_series(history, 19, seed);
    scripted::add_series(history, "x", stepped(noisy(100, 0.01, seed), 60, 0.10));
    const TrendReport report = trend(history.inputs());
    const std::vector<const ChangePoint*> fresh = in_state(report, AlertState::fresh);
    ASSERT_EQ(fresh.size(), 1U) << seed;
    const ChangePoint& step = *fresh.front();
    EXPECT_NEAR(static_cast<double>(report.positions[step.commit]), 60, 3) << seed;
    EXPECT_NEAR(step.change, 0.10, 0.01);
    EXPECT_LT(step.interval->low, step.change);
    EXPECT_GT(step.interval->high, step.change);
    EXPECT_NEAR(step.after / step.before, 1.10, 0.02);
    EXPECT_NEAR(step.noise_before, 0.01, 0.005);
    EXPECT_TRUE(step.worse);
    EXPECT_EQ(step.commits, 1);
    EXPECT_GT(step.evidence, 15) << "10 % at 1 %";
    EXPECT_EQ(step.false_alarms, kLeastFalseAlarms);
    const auto stepping = std::ranges::find(report.series, "x", &TrendSeries::entry);
    ASSERT_NE(stepping, report.series.end());
    ASSERT_TRUE(stepping->visible_step);
    EXPECT_NEAR(*stepping->visible_step, 0.03, 0.015) << "in what follows the step";
  }
}

TEST(Trend, GivesTheEvidenceOfEachKindOfAlert) {
  History history = scripted::history_of(200);
  scripted::add_series(history, "steps", stepped(noisy(200, 0.01, 1), 150, 0.03));
  std::vector<double> rising = noisy(200, 0.01, 2);
  for (std::size_t i = 0; i < rising.size(); ++i) {
    rising[i] *= std::exp(0.001 * static_cast<double>(i));
  }
  scripted::add_series(history, "drifts", rising);
  TrendInputs inputs = history.inputs();
  inputs.baselines = {{"release", scripted::oid_at(10), "", ""}};
  inputs.policy.threshold = 0.10;
  const TrendReport report = trend(inputs);
  const TrendSeries& drifting = report.series[0];
  const TrendSeries& stepping = report.series[1];
  ASSERT_EQ(stepping.change_points.size(), 1U);
  const ChangePoint& step = stepping.change_points[0];
  EXPECT_GT(step.evidence, 5);
  EXPECT_EQ(step.false_alarms, false_alarms_as_clear(step.evidence));
  ASSERT_TRUE(drifting.trend);
  EXPECT_GT(drifting.trend->evidence, 4);
  ASSERT_EQ(drifting.drifts.size(), 1U);
  EXPECT_GT(drifting.drifts[0].evidence, 10);
}

TEST(Trend, FindsNoStepBelowTheMemoryResolution) {
  for (const double level : {1.6e6, 160e6}) {
    History history = scripted::history_of(100);
    scripted::add_series(history, "x", stepped(noisy(100, 0.001, 1, level), 60, 0.10), "m1",
                         kPeakRss);
    std::vector<double> values = noisy(100, 0.001, 2, level);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] *= 1 + 0.001 * static_cast<double>(i);
    }
    scripted::add_series(history, "y", values, "m1", kPeakRss);
    const TrendReport report = trend(history.inputs());
    const bool is_told = level > 10e6;
    EXPECT_EQ(report.series[0].change_points.size(), is_told ? 1U : 0U);
    EXPECT_TRUE(report.series[0].suspects.empty());
    EXPECT_EQ(report.series[1].trend.has_value(), is_told);
    EXPECT_EQ(alerts(report) > 0, is_told);
  }
}

TEST(Trend, CountsTheCommitsThatMayHaveDoneIt) {
  History history = scripted::history_of(400);
  scripted::add_series(history, "x", stepped(noisy(100, 0.001, 1), 60, 0.10), "m1", kStepTime, 0,
                       4);
  const TrendReport report = trend(history.inputs());
  EXPECT_EQ(report.line, 400U);
  EXPECT_EQ(report.commits.size(), 100U);
  const std::vector<const ChangePoint*> fresh = in_state(report, AlertState::fresh);
  ASSERT_EQ(fresh.size(), 1U);
  EXPECT_EQ(fresh[0]->commits, 4);
  EXPECT_EQ(fresh[0]->confirm, "perf-compare bisect " + scripted::oid_at(236).substr(0, 12) + " " +
                                   scripted::oid_at(240).substr(0, 12) +
                                   " -w x --metric step_time");
}

// A comparison measures a whole entry of the config; a bisection follows one of its benchmarks.
TEST(Trend, NamesTheBenchmarkThatABisectionFollows) {
  for (const std::size_t stride : {1U, 4U}) {
    History history = scripted::history_of(400);
    scripted::add_series(history, "suite", stepped(noisy(100, 0.001, 1), 60, 0.10), "m1", kStepTime,
                         0, stride)
        .name = "suite/sum";
    const TrendReport report = trend(history.inputs());
    const std::vector<const ChangePoint*> fresh = in_state(report, AlertState::fresh);
    ASSERT_EQ(fresh.size(), 1U);
    const std::string& confirm = fresh[0]->confirm;
    EXPECT_EQ(confirm.find(" -w suite ") != std::string::npos, stride == 1) << confirm;
    EXPECT_EQ(confirm.ends_with(" -w suite/sum --metric step_time"), stride == 4) << confirm;
    EXPECT_EQ(confirm.starts_with("perf-compare bisect "), stride == 4) << confirm;
  }
}

TEST(Trend, SuggestsAComparisonAtHalfTheChange) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "suite", stepped(noisy(100, 0.001, 1), 60, 0.10));
  Metric odd{"it's odd", "s", Better::lower};
  scripted::add_series(history, "suite", stepped(noisy(100, 0.001, 1), 60, 0.50), "m1", odd);
  TrendInputs inputs = history.inputs();
  inputs.size = "full";
  const TrendReport report = trend(inputs);
  ASSERT_EQ(report.series.size(), 2U);
  const std::string commits = "perf-compare " + scripted::oid_at(59).substr(0, 12) + " " +
                              scripted::oid_at(60).substr(0, 12);
  ASSERT_EQ(report.series[0].change_points.size(), 1U);
  EXPECT_EQ(report.series[0].change_points[0].confirm,
            commits + " -w suite --metric 'it'\\''s odd' --size full");
  ASSERT_EQ(report.series[1].change_points.size(), 1U);
  const std::string confirm = report.series[1].change_points[0].confirm;
  EXPECT_TRUE(confirm == commits + " -w suite --threshold 5% --size full" ||
              confirm == commits + " -w suite --threshold 4.9% --size full")
      << confirm;
}

TEST(Trend, RaisesNoAlertForASwitchOfMachine) {
  History history = scripted::history_of(200);
  for (const std::string name : {"a", "b", "c", "d"}) {
    scripted::add_series(history, name, noisy(100, 0.01, 1), "old");
    scripted::add_series(history, name, noisy(100, 0.01, 2, 0.13), "new", kStepTime, 100);
  }
  const TrendReport report = trend(history.inputs());
  EXPECT_EQ(report.series.size(), 8U);
  EXPECT_EQ(alerts(report), 0U);
  EXPECT_TRUE(report.machine_events.empty());
}

TEST(Trend, RaisesNoAlertForAlternatingMachines) {
  History history = scripted::history_of(200);
  scripted::add_series(history, "a", noisy(100, 0.01, 1), "even", kStepTime, 0, 2);
  scripted::add_series(history, "a", noisy(100, 0.01, 2, 0.13), "odd", kStepTime, 1, 2);
  const TrendReport report = trend(history.inputs());
  EXPECT_EQ(alerts(report), 0U);
}

TEST(Trend, NamesChangedFactsOfTheWorkload) {
  History history = scripted::history_of(100);
  history.recorded.declarations = {{{"blas_core", "SkylakeX"}, {"threads", "2"}},
                                   {{"blas_core", "Haswell"}, {"threads", "2"}}};
  RecordedSeries& series =
      scripted::add_series(history, "x", stepped(noisy(100, 0.01, 3), 50, 0.30));
  for (RecordedValue& value : series.values) {
    value.declaration = value.commit < 50 ? 0 : 1;
  }
  const TrendReport report = trend(history.inputs());
  const std::vector<const ChangePoint*> fresh = in_state(report, AlertState::fresh);
  ASSERT_EQ(fresh.size(), 1U);
  EXPECT_EQ(fresh[0]->facts, std::vector<std::string>{"blas_core: SkylakeX -> Haswell"});
}

TEST(Trend, RaisesNoAlertForImprovementsSmallStepsAndUnjudgedMetrics) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "faster", stepped(noisy(100, 0.005, 1), 60, -0.10));
  scripted::add_series(history, "small", stepped(noisy(100, 0.005, 2), 60, 0.04));
  scripted::add_series(history, "other", stepped(noisy(100, 0.005, 3), 60, 0.20), "m1",
                       {"latency", "s", Better::lower});
  TrendInputs inputs = history.inputs();
  inputs.alert_threshold = 0.05;
  const TrendReport report = trend(inputs);
  for (const TrendSeries& series : report.series) {
    EXPECT_EQ(series.change_points.size(), 1U) << series.key.workload;
  }
  EXPECT_EQ(alerts(report), 0U);
  inputs.alert_threshold.reset();
  EXPECT_EQ(alerts(trend(inputs)), 1U);
}

TEST(Trend, TreatsLessAsWorseWhereHigherIsBetter) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "x", stepped(noisy(100, 0.005, 1), 60, -0.10), "m1",
                       {"rate", "1/s", Better::higher});
  TrendInputs inputs = history.inputs();
  inputs.policy.metrics = {"rate"};
  EXPECT_EQ(in_state(trend(inputs), AlertState::fresh).size(), 1U);
}

TEST(Trend, KeepsRatiosToAnAnchorInTheirOwnSeries) {
  History history = scripted::history_of(100);
  RecordedSeries& series =
      scripted::add_series(history, "x", stepped(noisy(100, 0.01, 3, 1.0), 50, 0.10), "");
  series.anchor = scripted::oid_at(0);
  TrendInputs inputs = history.inputs();
  inputs.baselines = {{"release", scripted::oid_at(0), "", ""}};
  const TrendReport report = trend(inputs);
  ASSERT_EQ(report.series.size(), 1U);
  EXPECT_EQ(report.series[0].anchor_name, "release");
  EXPECT_EQ(report.series[0].change_points.size(), 1U);
  EXPECT_TRUE(report.environments.empty());
}

/// 100 pairs, 10 % slower from 50 on, of which `machine` tells the environment.
History paired(const std::function<std::uint32_t(std::uint32_t)>& machine) {
  History history = scripted::history_of(100);
  history.recorded.environments = {{"m1m1m1m1m1", {}, {}}, {"m2m2m2m2m2", {}, {}}};
  history.recorded.runs = {{"a", "", 0, {}}, {"b", "", 1, {}}};
  RecordedSeries& series =
      scripted::add_series(history, "x", stepped(noisy(100, 0.01, 3, 1.0), 50, 0.10), "");
  series.anchor = scripted::oid_at(0);
  for (RecordedValue& value : series.values) {
    value.run = machine(value.commit);
  }
  return history;
}

TEST(Trend, BlamesNoCommitForAMachineSwitchOfAnAnchoredSeries) {
  for (const std::uint32_t at : {48U, 50U, 52U}) {
    const TrendReport report =
        trend(paired([&](std::uint32_t commit) { return commit < at ? 0U : 1U; }).inputs());
    ASSERT_EQ(report.series[0].change_points.size(), 1U);
    const ChangePoint& step = report.series[0].change_points[0];
    EXPECT_EQ(step.state, AlertState::none) << at;
    EXPECT_EQ(step.facts, std::vector<std::string>{"machine: m1m1m1m1 -> m2m2m2m2"});
    EXPECT_FALSE(step.confirm.empty());
  }
  const History elsewhere = paired([](std::uint32_t commit) { return commit < 70 ? 0U : 1U; });
  EXPECT_EQ(alerts(trend(elsewhere.inputs())), 1U);
  const History turns = paired([](std::uint32_t commit) { return commit % 2; });
  EXPECT_EQ(alerts(trend(turns.inputs())), 1U) << "pairs are made for machines that take turns";
}

TEST(Trend, RaisesOneAlertForAMachineAndItsPairs) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "x", stepped(noisy(100, 0.01, 1), 51, 0.10));
  scripted::add_series(history, "x", stepped(noisy(100, 0.01, 2, 1.0), 50, 0.10), "").anchor =
      scripted::oid_at(0);
  TrendInputs inputs = history.inputs();
  inputs.baselines = {{"release", scripted::oid_at(0), "", ""}};
  TrendReport report = trend(inputs);
  const auto of = [&](bool anchored) -> const ChangePoint& {
    return report.series[report.series[0].key.anchor.empty() == anchored ? 1 : 0].change_points[0];
  };
  EXPECT_EQ(alerts(report), 1U);
  EXPECT_EQ(of(true).state, AlertState::fresh);
  EXPECT_EQ(of(false).state, AlertState::none);
  EXPECT_EQ(of(false).facts, std::vector<std::string>{"also paired with release"});
  const std::vector<Alert> shown = to_remember(report, "night 1").fresh;
  EXPECT_EQ(shown.size(), 1U);
  inputs.alerts = shown;
  report = trend(inputs);
  EXPECT_EQ(alerts(report), 0U);
  EXPECT_EQ(of(true).state, AlertState::known);
  EXPECT_EQ(of(false).state, AlertState::none);

  // The machine's own was shown first: it stays, and the paired one is no second alert.
  inputs.alerts = shown;
  inputs.alerts[0].series = report.series[report.series[0].key.anchor.empty() ? 0 : 1].key;
  report = trend(inputs);
  EXPECT_EQ(alerts(report), 0U);
  EXPECT_EQ(of(false).state, AlertState::known);
  EXPECT_EQ(of(true).facts, std::vector<std::string>{"already known on machine m1"});
}

TEST(Trend, TreatsANonPositiveValueAsAGap) {
  History history = scripted::history_of(100);
  std::vector<double> values = stepped(noisy(100, 0.005, 1, 100), 50, 0.50);
  values[20] = 0;
  scripted::add_series(history, "x", values);
  const TrendReport report = trend(history.inputs());
  ASSERT_EQ(report.series[0].change_points.size(), 1U);
  const ChangePoint& step = report.series[0].change_points[0];
  EXPECT_NEAR(step.change, 0.50, 0.01);
  EXPECT_NEAR(step.change, step.after / step.before - 1, 0.01);
}

TEST(Trend, AlertsOnStepsFromZero) {
  History history = scripted::history_of(100);
  std::vector<double> values(100, 0.0);
  for (std::size_t i = 60; i < 100; ++i) {
    values[i] = 1 + 0.01 * static_cast<double>(i % 3);
  }
  scripted::add_series(history, "x", values);
  const TrendReport report = trend(history.inputs());
  EXPECT_TRUE(report.warnings.empty());
  ASSERT_EQ(report.series[0].change_points.size(), 1U);
  const ChangePoint& step = report.series[0].change_points[0];
  EXPECT_EQ(step.index, 60U);
  EXPECT_EQ(step.change, kFromZero);
  EXPECT_FALSE(step.interval);
  EXPECT_EQ(step.state, AlertState::fresh);
  // A level of 0 is one among values that are mostly positive, too.
  History mostly = scripted::history_of(100);
  values = noisy(100, 0.01, 1);
  std::fill(values.begin() + 30, values.begin() + 50, 0.0);
  scripted::add_series(mostly, "x", values);
  const TrendReport found = trend(mostly.inputs());
  ASSERT_EQ(found.series[0].change_points.size(), 2U);
  EXPECT_NEAR(found.series[0].change_points[0].change, -1, 1e-9);
  EXPECT_EQ(found.series[0].change_points[1].change, kFromZero);
}

TEST(Trend, ComputesDriftsOfLiveSeriesOnly) {
  History history = scripted::history_of(120);
  scripted::add_series(history, "x", stepped(noisy(100, 0.01, 1), 50, 0.50), "old");
  scripted::add_series(history, "x", noisy(20, 0.01, 2), "new", kStepTime, 100);
  TrendInputs inputs = history.inputs();
  inputs.baselines = {{"release", scripted::oid_at(20), "", ""}};
  TrendReport report = trend(inputs);
  for (const TrendSeries& series : report.series) {
    EXPECT_EQ(series.live, series.key.fingerprint == "new");
    EXPECT_TRUE(series.drifts.empty());
  }
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].kind, WarningKind::baseline_unmeasured);
  inputs.baselines[0].oid = scripted::oid_at(119);
  EXPECT_TRUE(trend(inputs).warnings.empty()) << "just pinned";
}

TEST(Trend, ReportsThatNothingWasMeasured) {
  const History history = scripted::history_of(3);
  const TrendReport report = trend(history.inputs());
  EXPECT_EQ(report.line, 3U);
  EXPECT_EQ(report.head.oid, scripted::oid_at(2));
  EXPECT_TRUE(report.series.empty());
  const History none = scripted::history_of(0);
  EXPECT_EQ(trend(none.inputs()).line, 0U);
}

TEST(Trend, SearchesNonPositiveValuesAsDifferences) {
  History history = scripted::history_of(100);
  std::vector<double> values = noisy(100, 0.01, 1, 10);
  for (std::size_t i = 0; i < 50; ++i) {
    values[i] -= 20;
  }
  scripted::add_series(history, "x", values, "m1", {"signal", "dB", Better::higher});
  TrendInputs inputs = history.inputs();
  inputs.policy.metrics = {"signal"};
  const TrendReport report = trend(inputs);
  ASSERT_EQ(report.series[0].change_points.size(), 1U);
  EXPECT_NEAR(report.series[0].change_points[0].change, 2, 0.1);
  EXPECT_FALSE(report.series[0].change_points[0].worse);
}

TEST(Trend, WarnsOfCommitsOffTheLine) {
  History history = scripted::history_of(3);
  history.recorded.elsewhere = 2;
  TrendInputs inputs = history.inputs();
  inputs.baselines = {{"release", std::string(40, 'f'), "", ""}};
  const TrendReport report = trend(inputs);
  ASSERT_EQ(report.warnings.size(), 2U);
  EXPECT_EQ(reporter::sentence(report.warnings[0]),
            "2 measured commits are not first-parent ancestors of " +
                report.head.oid.substr(0, 12) + " (of another branch, or merged): left out");
  EXPECT_EQ(report.warnings[1].kind, WarningKind::baseline_off_line);
}

// 20 series of 300 points without any change, whole reports: measured 0 of 200 at this seed and
// the rate is told by docs/trend.md; one in twenty is the promise.
TEST(Trend, RaisesFewAlertsOnCleanHistories) {
  int alarmed = 0;
  constexpr int kReports = 20;
  for (std::uint64_t seed = 1; seed <= kReports; ++seed) {
    History history = scripted::history_of(300);
    scripted::add_clean_series(history, 20, 100 + seed);
    alarmed += alerts(trend(history.inputs())) > 0 ? 1 : 0;
  }
  EXPECT_LE(alarmed, 3);
}

TEST(Trend, IsDeterministic) {
  History history = scripted::history_of(200);
  scripted::add_clean_series(history, 30, 7);
  scripted::add_series(history, "x", stepped(noisy(200, 0.01, 3), 50, 0.30));
  const TrendReport a = trend(history.inputs()), b = trend(history.inputs());
  ASSERT_EQ(a.series.size(), b.series.size());
  for (std::size_t i = 0; i < a.series.size(); ++i) {
    EXPECT_EQ(a.series[i].change_points.size(), b.series[i].change_points.size());
    EXPECT_EQ(a.series[i].noise, b.series[i].noise);
  }
  EXPECT_EQ(a.false_alarms.alarms, b.false_alarms.alarms);
  EXPECT_EQ(in_state(a, AlertState::fresh)[0]->alert_id,
            in_state(b, AlertState::fresh)[0]->alert_id);
}

}  // namespace
}  // namespace perf

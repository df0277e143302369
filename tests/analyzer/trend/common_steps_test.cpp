#include "analyzer/trend/common_steps.h"

#include <gtest/gtest.h>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/common_histories.h"

namespace perf {
namespace {

using scripted::Common;
using scripted::History;
using scripted::reports_of;
using scripted::ReportsOfThirty;
using scripted::thirty_series;

TrendReport report_on(const History& history) {
  TrendInputs inputs = history.inputs();
  inputs.replays = false;
  return trend(inputs);
}

TEST(CommonSteps, AreOneFinding) {
  const ReportsOfThirty reports = reports_of({.change = 0.03}, 100);
  EXPECT_GE(reports.one, 95);
}

TEST(CommonSteps, AreNoneWithoutAStep) {
  for (const Common common : scripted::all_commons()) {
    for (const std::size_t nights : {60U, 120U}) {
      const ReportsOfThirty reports =
          reports_of({.nights = nights, .common = common, .common_noise = 0.02}, 15);
      EXPECT_EQ(reports.common, 0) << scripted::name_of(common) << ' ' << nights;
    }
  }
}

TEST(CommonSteps, SayHowManyMovedAndHowFar) {
  const TrendReport report = report_on(thirty_series({.change = 0.03}, 3));
  ASSERT_EQ(report.machine_events.size(), 1U);
  const MachineEvent& event = report.machine_events[0];
  EXPECT_EQ(event.fingerprint, "m1");
  EXPECT_EQ(event.series, 30U);
  EXPECT_GE(event.moved, 18U);
  EXPECT_NEAR(event.change, 0.03, 0.012);
  EXPECT_LT(event.previous, event.first);
  EXPECT_LE(event.first, 116U);
  EXPECT_GE(event.last, 116U);
  EXPECT_GT(event.evidence, 2.8);
  EXPECT_LT(event.false_alarms.value(), 0.6);
  EXPECT_FALSE(event.programs_changed);
  EXPECT_NE(event.confirm.find("perf-compare "), std::string::npos);
  std::size_t members = 0;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points) {
      EXPECT_EQ(step.machine_event, 0U);
      EXPECT_EQ(step.state, AlertState::none);
      ++members;
    }
  }
  EXPECT_GE(members, event.moved);
}

TEST(CommonSteps, AreOfMostSeries) {
  EXPECT_EQ(reports_of({.change = 0.04, .share = 0.3}, 30).common, 0);
}

// The next night each member is known; a step that series show by themselves later is the same.
TEST(CommonSteps, AreNewOnce) {
  const History history = thirty_series({.change = 0.04, .young = 12}, 5);
  std::vector<Alert> alerts;
  std::size_t fresh_events = 0, fresh_alerts = 0;
  for (std::size_t nights = 110; nights <= 120; ++nights) {
    const History night = scripted::until(history, nights);
    TrendInputs inputs = night.inputs();
    inputs.replays = false;
    inputs.alerts = alerts;
    const TrendReport report = trend(inputs);
    for (const MachineEvent& event : report.machine_events) {
      fresh_events += event.known ? 0 : 1;
    }
    for (const Alert& alert : to_remember(report, "2026-02-01T00:00:00Z").fresh) {
      fresh_alerts += alert.kind == AlertKind::step && !alert.events.empty() ? 1 : 0;
      alerts.push_back(alert);
    }
  }
  EXPECT_GE(fresh_events, 1U);
  EXPECT_LE(fresh_events, 3U) << "members join it later";
  EXPECT_EQ(fresh_alerts, 0U);
}

/// What every workload runs: "p" before a commit, "q" from there on.
void add_programs(History& history, std::size_t changed_at) {
  for (const RecordedSeries& series : history.recorded.series) {
    for (std::size_t i = 0; i < history.line.size(); ++i) {
      history.recorded.programs.push_back(
          {scripted::oid_at(i), "m1", series.workload, {}, "", i < changed_at ? "p" : "q"});
    }
  }
}

TEST(CommonSteps, PointToTheCommitWhereProgramsChange) {
  History history = thirty_series({.change = 0.03}, 3);
  add_programs(history, 116);
  const TrendReport report = report_on(history);
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_EQ(report.machine_events[0].programs_changed, true);
  const AlertRecord record = to_remember(report, "2026-02-01T00:00:00Z");
  const auto shown =
      std::ranges::count_if(record.fresh, [](const Alert& alert) { return !alert.events.empty(); });
  EXPECT_EQ(shown, 1) << "one alert, not thirty";

  // The next night it is the same one.
  TrendInputs inputs = history.inputs();
  inputs.replays = false;
  inputs.alerts = record.fresh;
  std::size_t known = 0, fresh = 0;
  for (const TrendSeries& series : trend(inputs).series) {
    for (const ChangePoint& step : series.change_points) {
      known += step.state == AlertState::known ? 1 : 0;
      fresh += step.state == AlertState::fresh ? 1 : 0;
    }
  }
  EXPECT_EQ(known, 1U);
  EXPECT_EQ(fresh, 0U);
}

TEST(CommonSteps, PointToTheMachineWhereProgramsStayTheSame) {
  History history = thirty_series({.change = 0.03}, 3);
  add_programs(history, 40);
  const TrendReport report = report_on(history);
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_EQ(report.machine_events[0].programs_changed, false);
  EXPECT_TRUE(std::ranges::all_of(to_remember(report, "2026-02-01T00:00:00Z").fresh,
                                  [](const Alert& alert) { return alert.events.empty(); }));
}

TEST(CommonSteps, AreToldAlikeWherePointsAreNotKept) {
  const History history = thirty_series({.change = 0.03}, 3);
  TrendInputs inputs = history.inputs();
  inputs.replays = inputs.keeps_points = false;
  const TrendReport sparse = trend(inputs), whole = report_on(history);
  ASSERT_EQ(sparse.machine_events.size(), 1U);
  EXPECT_EQ(sparse.machine_events[0].moved, whole.machine_events.at(0).moved);
  EXPECT_EQ(sparse.machine_events[0].change, whole.machine_events[0].change);
}

}  // namespace
}  // namespace perf

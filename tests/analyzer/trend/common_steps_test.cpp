#include "analyzer/trend/common_steps.h"

#include <gtest/gtest.h>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/common_histories.h"

namespace perf {
namespace {

using scripted::Common;
using scripted::History;
using scripted::report_on;
using scripted::reports_of;
using scripted::ReportsOfThirty;
using scripted::thirty_series;

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
    const TrendReport report = report_on(scripted::until(history, nights), alerts);
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

History with_programs(std::size_t changed_at) {
  History history = thirty_series({.change = 0.03}, 3);
  for (const RecordedSeries& series : history.recorded.series) {
    scripted::add_programs(history, series.workload, changed_at);
  }
  return history;
}

TEST(CommonSteps, PointToTheCommitWhereProgramsChange) {
  const History history = with_programs(116);
  const TrendReport report = report_on(history);
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_EQ(report.machine_events[0].programs_changed, true);
  const AlertRecord record = to_remember(report, "2026-02-01T00:00:00Z");
  const auto shown =
      std::ranges::count_if(record.fresh, [](const Alert& alert) { return !alert.events.empty(); });
  EXPECT_EQ(shown, 1) << "one alert, not thirty";

  // The next night it is the same one.
  const TrendReport next = report_on(history, record.fresh);
  EXPECT_EQ(scripted::steps_in(next, AlertState::known), 1U);
  EXPECT_EQ(scripted::steps_in(next, AlertState::fresh), 0U);
}

TEST(CommonSteps, PointToTheMachineWhereProgramsStayTheSame) {
  const TrendReport report = report_on(with_programs(40));
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

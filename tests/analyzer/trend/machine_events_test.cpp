#include "analyzer/trend/machine_events.h"

#include <gtest/gtest.h>

#include "analyzer/trend/alert_record.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;
using scripted::stepped;

/// 20 series, the first `moved` of which get 10 % slower at commit 60 and the `apart` commits
/// after, in turn.
History moving(std::size_t moved, std::size_t apart = 1) {
  History history = scripted::history_of(120);
  for (std::size_t i = 0; i < 20; ++i) {
    const std::vector<double> values = noisy(120, 0.004, 50 + i);
    scripted::add_series(history, "w" + std::to_string(10 + i),
                         i < moved ? stepped(values, 60 + i * apart, 0.10) : values);
  }
  return history;
}

std::size_t count(const TrendReport& report, AlertState state) {
  std::size_t found = 0;
  for (const TrendSeries& series : report.series)
    for (const ChangePoint& step : series.change_points)
      found += step.state == state ? 1 : 0;
  return found;
}

TEST(MachineEvents, ManySeriesAtOnceAreNotBlamedOnACommit) {
  const TrendReport report = trend(moving(4, 0).inputs());
  ASSERT_EQ(report.machine_events.size(), 1U);
  const MachineEvent& event = report.machine_events[0];
  EXPECT_EQ(event.fingerprint, "m1");
  EXPECT_EQ(event.moved, 4U);
  EXPECT_EQ(event.series, 20U);
  EXPECT_NEAR(event.change, 0.10, 0.01);
  EXPECT_NEAR(event.first, 60, 2);
  EXPECT_NEAR(event.last, 60, 2);
  EXPECT_LT(event.previous, event.first);
  EXPECT_FALSE(event.known);
  EXPECT_NE(event.confirm.find("perf-compare "), std::string::npos);
  EXPECT_EQ(count(report, AlertState::fresh), 0U);
  EXPECT_EQ(report.series[0].change_points.at(0).machine_event, 0U);
}

TEST(MachineEvents, TwoSeriesAreTwoAlerts) {
  const TrendReport report = trend(moving(2).inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(count(report, AlertState::fresh), 2U);
}

TEST(MachineEvents, StepsFarApartAreAlerts) {
  const TrendReport report = trend(moving(4, 8).inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(count(report, AlertState::fresh), 4U);
}

// Two days apart: within a week of nights. The same commits made within a second are no week.
TEST(MachineEvents, AWeekHoldsSevenNightsAtMost) {
  History history = moving(4, 2);
  EXPECT_EQ(trend(history.inputs()).machine_events.size(), 1U);
  for (Revision& revision : history.line)
    revision.committed_at = 1'700'000'000;
  const TrendReport report = trend(history.inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(count(report, AlertState::fresh), 4U);
}

TEST(MachineEvents, WhereTheAnchoredSeriesStepTooItIsTheCommit) {
  History history = moving(4, 0);
  for (std::size_t i = 0; i < 4; ++i)
    scripted::add_series(history, "w" + std::to_string(10 + i),
                         stepped(noisy(120, 0.004, 80 + i, 1.0), 60, 0.10), "")
        .anchor = scripted::oid_at(0);
  TrendReport report = trend(history.inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(count(report, AlertState::fresh), 8U);
  for (std::size_t i = 20; i < 24; ++i)
    history.recorded.series[i].values =
        scripted::add_series(history, "y", noisy(120, 0.004, 90 + i, 1.0)).values;
  history.recorded.series.resize(24);
  report = trend(history.inputs());
  EXPECT_EQ(report.machine_events.size(), 1U) << "in pairs nothing moved";
}

TEST(MachineEvents, LessThanATenthIsNoEvent) {
  History history = moving(3, 0);
  for (std::size_t i = 0; i < 30; ++i)
    scripted::add_series(history, "z" + std::to_string(10 + i), noisy(120, 0.004, 500 + i));
  EXPECT_TRUE(trend(history.inputs()).machine_events.empty()) << "3 of 50";
}

TEST(MachineEvents, OtherMachinesAreNoPartOfIt) {
  History history = moving(2, 0);
  scripted::add_series(history, "w50", stepped(noisy(120, 0.004, 1), 60, 0.10), "m2");
  EXPECT_TRUE(trend(history.inputs()).machine_events.empty());
}

TEST(MachineEvents, TheMachinesFactsThatChangedAreNamed) {
  History history = moving(4, 0);
  history.recorded.runs = {{"old", "", 0, {{"governor", "performance"}, {"load", "0.2"}}},
                           {"new", "", 0, {{"governor", "powersave"}, {"load", "0.2"}}}};
  for (RecordedSeries& series : history.recorded.series)
    for (RecordedValue& value : series.values)
      value.run = value.commit < 60 ? 0 : 1;
  const TrendReport report = trend(history.inputs());
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_EQ(report.machine_events[0].facts,
            std::vector<std::string>{"governor: performance -> powersave"});
}

TEST(MachineEvents, AreNewOnce) {
  const History history = moving(4, 0);
  TrendInputs inputs = history.inputs();
  const AlertRecord record = to_remember(trend(inputs), "night 1");
  EXPECT_EQ(record.fresh.size(), 4U);
  inputs.alerts = record.fresh;
  const TrendReport report = trend(inputs);
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_TRUE(report.machine_events[0].known);
  EXPECT_EQ(count(report, AlertState::known), 0U);
  const AlertRecord again = to_remember(report, "night 2");
  EXPECT_TRUE(again.fresh.empty());
  EXPECT_TRUE(again.news.empty());
}

}  // namespace
}  // namespace perf

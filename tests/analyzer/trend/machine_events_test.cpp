#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/internal.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;
using scripted::stepped;
using scripted::steps_in;

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

TEST(MachineEvents, AreNotBlamedOnACommit) {
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
  EXPECT_EQ(steps_in(report, AlertState::fresh), 0U);
  EXPECT_EQ(report.series[0].change_points.at(0).machine_event, 0U);
}

// The sizes of three bundles, and the errors, grow with a commit: no machine does that.
TEST(MachineEvents, HaveNoSizesThatABenchmarkHasJudged) {
  for (const auto& [unit, events] : {std::pair("B", 0U), std::pair("1/s", 1U)}) {
    History history = moving(4, 0);
    for (RecordedSeries& series : history.recorded.series) {
      series.metric = {"value", unit, Better::lower};
      series.judge = true;
    }
    const TrendReport report = trend(history.inputs());
    EXPECT_EQ(report.machine_events.size(), events) << unit;
    EXPECT_EQ(steps_in(report, AlertState::fresh), events > 0 ? 0U : 4U) << unit;
  }
}

TEST(MachineEvents, LeaveTwoSeriesAsTwoAlerts) {
  const TrendReport report = trend(moving(2).inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(steps_in(report, AlertState::fresh), 2U);
}

TEST(MachineEvents, StepsFarApartAreAlerts) {
  const TrendReport report = trend(moving(4, 8).inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(steps_in(report, AlertState::fresh), 4U);
}

// Two days apart: within a week of nights. The same commits made within a second are no week.
TEST(MachineEvents, SpanSevenNightsAtMost) {
  History history = moving(4, 2);
  EXPECT_EQ(trend(history.inputs()).machine_events.size(), 1U);
  for (Revision& revision : history.line) {
    revision.committed_at = 1'700'000'000;
  }
  const TrendReport report = trend(history.inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(steps_in(report, AlertState::fresh), 4U);
}

TEST(MachineEvents, AreNoneWhereAnchoredSeriesStepToo) {
  History history = moving(4, 0);
  for (std::size_t i = 0; i < 4; ++i) {
    scripted::add_series(history, "w" + std::to_string(10 + i),
                         stepped(noisy(120, 0.004, 80 + i, 1.0), 60, 0.10), "")
        .anchor = scripted::oid_at(0);
  }
  TrendReport report = trend(history.inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(steps_in(report, AlertState::fresh), 4U) << "the paired ones";
  for (std::size_t i = 20; i < 24; ++i) {
    history.recorded.series[i].values =
        scripted::add_series(history, "y", noisy(120, 0.004, 90 + i, 1.0)).values;
  }
  history.recorded.series.resize(24);
  report = trend(history.inputs());
  EXPECT_EQ(report.machine_events.size(), 1U) << "in pairs nothing moved";
}

TEST(MachineEvents, NeedATenthOfTheSeries) {
  History history = moving(3, 0);
  for (std::size_t i = 0; i < 30; ++i) {
    scripted::add_series(history, "z" + std::to_string(10 + i), noisy(120, 0.004, 500 + i));
  }
  EXPECT_TRUE(trend(history.inputs()).machine_events.empty()) << "3 of 50";
}

TEST(MachineEvents, ExcludeOtherMachines) {
  History history = moving(2, 0);
  scripted::add_series(history, "w50", stepped(noisy(120, 0.004, 1), 60, 0.10), "m2");
  EXPECT_TRUE(trend(history.inputs()).machine_events.empty());
}

TEST(MachineEvents, NameTheFactsThatChanged) {
  History history = moving(4, 0);
  history.recorded.runs = {{"old", "", 0, {{"governor", "performance"}, {"load", "0.2"}}},
                           {"new", "", 0, {{"governor", "powersave"}, {"load", "0.2"}}}};
  for (RecordedSeries& series : history.recorded.series) {
    for (RecordedValue& value : series.values) {
      value.run = value.commit < 60 ? 0 : 1;
    }
  }
  const TrendReport report = trend(history.inputs());
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_EQ(report.machine_events[0].facts,
            std::vector<std::string>{"governor: performance -> powersave"});
}

TEST(MachineEvents, AreNewOnce) {
  const History history = moving(4, 0);
  TrendInputs inputs = history.inputs();
  const AlertRecord record = to_remember(trend(inputs), "night 1");
  ASSERT_EQ(record.fresh.size(), 4U);
  EXPECT_TRUE(record.fresh[0].events.empty()) << "no alert";
  inputs.alerts = record.fresh;
  const TrendReport report = trend(inputs);
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_TRUE(report.machine_events[0].known);
  EXPECT_EQ(steps_in(report, AlertState::known), 0U);
  const AlertRecord again = to_remember(report, "night 2");
  EXPECT_TRUE(again.fresh.empty());
  EXPECT_TRUE(again.news.empty());
  EXPECT_NE(report.machine_events[0].confirm.find("perf-compare "), std::string::npos);
}

// Two workloads are 20 % slower and larger; ten metrics of one workload.
TEST(MachineEvents, NeedThreeWorkloads) {
  History history = scripted::history_of(100);
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> values = stepped(noisy(100, 0.004, i), 60, 0.20);
    if (i >= 2) {  // bytes
      std::ranges::for_each(values, [](double& value) { value *= 1e8; });
    }
    scripted::add_series(history, i % 2 == 0 ? "a" : "b", values, "m1",
                         i < 2 ? kStepTime : kPeakRss);
  }
  TrendReport report = trend(history.inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(steps_in(report, AlertState::fresh), 4U);
  scripted::add_series(history, "a", stepped(noisy(100, 0.004, 9), 60, 0.20)).params = {
      {"layers", std::int64_t{4}}};
  EXPECT_EQ(trend(history.inputs()).machine_events.size(), 1U) << "other parameters, a third";
}

TEST(MachineEvents, CountOneDirectionAndTakeBoth) {
  History history = scripted::history_of(100);
  for (std::size_t i = 0; i < 8; ++i) {
    scripted::add_series(history, "w" + std::to_string(i),
                         stepped(noisy(100, 0.004, i), 60,
                                 i == 0  ? 0.06
                                 : i < 3 ? -0.06
                                         : 0));
  }
  TrendReport report = trend(history.inputs());
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(steps_in(report, AlertState::fresh), 1U);
  EXPECT_EQ(report.series[0].change_points.at(0).state, AlertState::fresh);
  scripted::add_series(history, "w9", stepped(noisy(100, 0.004, 9), 60, -0.06));
  report = trend(history.inputs());
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_EQ(report.machine_events[0].moved, 3U) << "those that went down";
  EXPECT_FALSE(report.machine_events[0].known) << "one got worse in it";
  EXPECT_EQ(report.series[0].change_points.at(0).machine_event, 0U);
  EXPECT_EQ(steps_in(report, AlertState::fresh), 0U) << "no commit is blamed, either way";
}

TEST(MachineEvents, TakeWhatWouldBeMovedIntoThem) {
  History history = moving(4, 0);
  const std::size_t far = 70, border = 65;
  scripted::add_series(history, "x", stepped(noisy(120, 0.05, 5), far, -0.08));
  TrendReport report = trend(history.inputs());
  ASSERT_EQ(report.series.back().change_points.size(), 1U);
  ASSERT_FALSE(report.series.back().change_points[0].machine_event);
  scripted::add_programs(history, "x", border);
  report = trend(history.inputs());
  const ChangePoint& step = report.series.back().change_points.at(0);
  EXPECT_EQ(step.machine_event, 0U);
  EXPECT_FALSE(step.border);
}

TEST(MachineEvents, NeverSwallowAnAlertThatWasShown) {
  const History two = moving(2, 0), four = moving(4, 0);
  std::vector<Alert> alerts = to_remember(trend(two.inputs()), "night 1").fresh;
  ASSERT_EQ(alerts.size(), 2U);
  TrendInputs inputs = four.inputs();
  inputs.alerts = alerts;
  TrendReport report = trend(inputs);
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_FALSE(report.machine_events[0].known) << "two of it are new";
  EXPECT_EQ(steps_in(report, AlertState::known), 2U);
  EXPECT_EQ(steps_in(report, AlertState::fresh), 0U);
  const AlertRecord record = to_remember(report, "night 2");
  EXPECT_EQ(record.fresh.size(), 2U);
  EXPECT_TRUE(record.news.empty());
  inputs.alerts.insert(inputs.alerts.end(), record.fresh.begin(), record.fresh.end());
  report = trend(inputs);
  EXPECT_TRUE(report.machine_events[0].known);
  EXPECT_EQ(steps_in(report, AlertState::known), 2U);
}

TEST(MachineEvents, MakeALoneMemberANewAlertLater) {
  const History four = moving(4, 0), two = moving(2, 0);
  TrendInputs inputs = two.inputs();
  inputs.alerts = to_remember(trend(four.inputs()), "night 1").fresh;
  const TrendReport report = trend(inputs);
  EXPECT_TRUE(report.machine_events.empty());
  EXPECT_EQ(steps_in(report, AlertState::fresh), 2U);
  for (const TrendSeries& series : report.series) {
    EXPECT_TRUE(series.closed.empty()) << "the others were never alerts";
  }
  const AlertRecord record = to_remember(report, "night 2");
  EXPECT_TRUE(record.fresh.empty());
  ASSERT_EQ(record.news.size(), 2U);
  EXPECT_EQ(record.news[0].second.news, AlertNews::seen);
  EXPECT_EQ(record.news[0].first, report.series[0].change_points.at(0).alert_id);
}

TEST(MachineEvents, DoNotListTheirMembersOnceOver) {
  const History history = moving(4, 0);
  TrendInputs inputs = history.inputs();
  inputs.alerts = to_remember(trend(inputs), "night 1").fresh;
  History back = history;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 90; k < 120; ++k) {
      back.recorded.series[i].values[k].value /= 1.10;
    }
  }
  TrendInputs later = back.inputs();
  later.alerts = inputs.alerts;
  TrendReport report = trend(later);
  ASSERT_EQ(report.machine_events.size(), 2U) << "there and back";
  for (const TrendSeries& series : report.series) {
    EXPECT_TRUE(series.closed.empty());
  }
  EXPECT_EQ(steps_in(report, AlertState::fresh), 0U);
  later.alerts.clear();
  report = trend(later);
  EXPECT_TRUE(report.machine_events[0].known) << "over before it was ever shown";
  EXPECT_TRUE(to_remember(report, "night 1").fresh.empty());
}

/// `count` series of which the first `moved` grow by 0.08 % a commit, times `factor`.
History sloping(std::size_t moved, std::size_t count, double factor = 1) {
  History history = scripted::history_of(200);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> values = noisy(200, 0.01, 50 + i);
    for (std::size_t at = 0; i < moved && at < values.size(); ++at) {
      values[at] *= 1 + 0.0008 * factor * static_cast<double>(at);
    }
    scripted::add_series(history, "w" + std::to_string(10 + i), values);
  }
  return history;
}

/// Slopes that are new alerts; what else is new is no slope's.
std::size_t fresh_slopes(const TrendReport& report) {
  EXPECT_EQ(steps_in(report, AlertState::fresh), 0U);
  return static_cast<std::size_t>(
      std::ranges::count_if(report.series, [](const TrendSeries& series) {
        EXPECT_TRUE(std::ranges::none_of(
            series.drifts, [](const Drift& drift) { return drift.state == AlertState::fresh; }));
        return series.trend && series.trend->state == AlertState::fresh;
      }));
}

bool warns_of_slopes(const TrendReport& report) {
  return std::ranges::find(report.warnings, WarningKind::machine_slope, &Warning::kind) !=
         report.warnings.end();
}

TEST(MachineSlopes, AreNoAlerts) {
  const History history = sloping(5, 6);
  const std::vector<Baseline> pins{{"release", scripted::oid_at(20), "", ""}};
  TrendInputs inputs = history.inputs();
  inputs.baselines = pins;
  const TrendReport report = trend(inputs);
  EXPECT_EQ(fresh_slopes(report), 0U);
  ASSERT_TRUE(warns_of_slopes(report));
  const Warning& warning =
      *std::ranges::find(report.warnings, WarningKind::machine_slope, &Warning::kind);
  EXPECT_EQ(warning.figures.at("series"), 5);
  EXPECT_EQ(warning.figures.at("of"), 6);
  EXPECT_NEAR(warning.figures.at("change"), 0.16, 0.03);
  EXPECT_EQ(warning.about.at("fingerprint"), "m1");
  EXPECT_EQ(warning.about.at("confirm").rfind("perf-compare ", 0), 0U);
}

TEST(MachineSlopes, NeedEnoughSeries) {
  EXPECT_EQ(fresh_slopes(trend(sloping(4, 4).inputs())), 4U) << "fewer than 5";
  const TrendReport most = trend(sloping(5, 7).inputs());
  EXPECT_EQ(fresh_slopes(most), 5U) << "5 of 7";
  EXPECT_FALSE(warns_of_slopes(most));
}

TEST(MachineSlopes, LeaveASteeperSlopeAsAnAlert) {
  History history = sloping(6, 6);
  const History farther = sloping(1, 1, 4);
  history.recorded.series[0].values = farther.recorded.series[0].values;
  const TrendReport report = trend(history.inputs());
  EXPECT_EQ(fresh_slopes(report), 1U);
  EXPECT_EQ(report.series[0].trend->state, AlertState::fresh);
  EXPECT_TRUE(warns_of_slopes(report));
}

TEST(MachineSlopes, AreNoneWhereAnchoredSeriesSlopeToo) {
  History history = sloping(6, 6);
  const History paired = sloping(6, 6);
  for (std::size_t i = 0; i < 6; ++i) {
    RecordedSeries& series = history.recorded.series.emplace_back(paired.recorded.series[i]);
    series.anchor = scripted::oid_at(0);
    series.fingerprint.clear();
  }
  TrendReport report = trend(history.inputs());
  EXPECT_FALSE(warns_of_slopes(report));
  EXPECT_GE(fresh_slopes(report), 6U);
  for (std::size_t i = 6; i < 12; ++i) {
    for (std::size_t at = 0; at < 200; ++at) {
      history.recorded.series[i].values[at].value /= 1 + 0.0008 * static_cast<double>(at);
    }
  }
  report = trend(history.inputs());
  EXPECT_TRUE(warns_of_slopes(report)) << "in pairs nothing moved";
  EXPECT_EQ(fresh_slopes(report), 0U);
}

}  // namespace
}  // namespace perf

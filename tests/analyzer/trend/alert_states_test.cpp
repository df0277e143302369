#include "analyzer/trend/alert_states.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/trend/internal.h"
#include "analyzer/trend/trend_series.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;
using scripted::stepped;

/// Nights, one after the other, each remembering what it showed.
class Nights {
 public:
  TrendReport night(const History& history) {
    TrendInputs inputs = history.inputs();
    inputs.alerts = alerts;
    inputs.baselines = baselines;
    inputs.alert_threshold = threshold;
    return remembered(trend(inputs));
  }
  /// The same of every series by itself: no machine events, and none of the time that replays take.
  TrendReport quick_night(const History& history) {
    TrendReport report;
    MeasuredLine measured = measured_line(history.recorded);
    report.positions = measured.positions;
    for (const std::uint32_t position : report.positions) {
      report.commits.push_back(history.line[position]);
    }
    const SearchedLine line{history.recorded, history.line, report.positions, report.policy, ""};
    for (MeasuredSeries& one : measured.series) {
      search(one, line);
      one.series.drifts = drifts_of(one.series, baselines, line);
      report.series.push_back(std::move(one.series));
    }
    give_states(report, alerts);
    return remembered(std::move(report));
  }
  TrendReport remembered(TrendReport report) {
    ++nights;
    const AlertRecord record = to_remember(report, "night " + std::to_string(nights));
    alerts.insert(alerts.end(), record.fresh.begin(), record.fresh.end());
    for (const auto& [id, event] : record.news) {
      for (Alert& alert : alerts) {
        if (alert.id == id) {
          alert.events.push_back(event);
        }
      }
    }
    return report;
  }
  void tell(AlertNews news, const std::string& run = {}) {
    alerts.at(0).events.push_back({news, "by day", run});
  }

  std::vector<Alert> alerts;
  std::vector<Baseline> baselines;
  std::optional<double> threshold;
  int nights = 0;
};

std::vector<AlertState> states(const TrendReport& report) {
  std::vector<AlertState> found;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points) {
      found.push_back(step.state);
    }
    for (const ClosedAlert& closed : series.closed) {
      found.push_back(closed.state);
    }
  }
  return found;
}

using States = std::vector<AlertState>;

History one_step(std::size_t commits, double change = 0.10) {
  History history = scripted::history_of(commits);
  scripted::add_series(history, "x", stepped(noisy(commits, 0.01, 5), 60, change));
  return history;
}

TEST(AlertStates, ReportsAStepAsNewOnceThenAsKnown) {
  const History history = one_step(120);
  Nights nights;
  EXPECT_EQ(states(nights.night(scripted::until(history, 60))), States{});
  EXPECT_EQ(states(nights.night(scripted::until(history, 80))), States{AlertState::fresh});
  ASSERT_EQ(nights.alerts.size(), 1U);
  EXPECT_EQ(nights.alerts[0].events.front().news, AlertNews::seen);
  for (std::size_t commits = 81; commits <= 120; commits += 3) {
    const TrendReport report = nights.night(scripted::until(history, commits));
    ASSERT_EQ(states(report), States{AlertState::known}) << commits;
    EXPECT_EQ(report.series[0].change_points[0].first_seen, "night 2");
    EXPECT_EQ(report.series[0].change_points[0].alert_id, nights.alerts[0].id);
  }
  EXPECT_EQ(nights.alerts.size(), 1U);
}

TEST(AlertStates, MatchesAStepThatMovedByFivePoints) {
  const History history = one_step(100);
  for (const int away : {-5, 5, -6, 6}) {
    Nights nights;
    nights.night(history);
    const std::size_t at = 60 + static_cast<std::size_t>(away + 6) - 6;
    nights.alerts[0].oid = scripted::oid_at(at);
    nights.alerts[0].previous_oid = scripted::oid_at(at - 1);
    const States found = states(nights.night(history));
    if (std::abs(away) == 5) {
      EXPECT_EQ(found, States{AlertState::known}) << away;
    } else {
      EXPECT_EQ(found.front(), AlertState::fresh) << away;
    }
  }
}

TEST(AlertStates, MatchesAnAlertWhoseCommitRangeWasFilledIn) {
  History wide = scripted::history_of(200);
  const std::vector<double> values = stepped(noisy(200, 0.005, 5), 105, 0.10);
  RecordedSeries& series = scripted::add_series(wide, "x", values);
  std::erase_if(series.values, [](const RecordedValue& value) {
    return value.commit % 2 == 1 || (value.commit >= 84 && value.commit < 116);
  });
  Nights nights;
  ASSERT_EQ(states(nights.night(wide)), States{AlertState::fresh});
  History filled = scripted::history_of(200);
  scripted::add_series(filled, "x", values);
  EXPECT_EQ(states(nights.night(filled)), States{AlertState::known});
}

TEST(AlertStates, GivesTwoNeighbouringStepsTwoAlerts) {
  History history = scripted::history_of(120);
  scripted::add_series(history, "x", stepped(stepped(noisy(120, 0.002, 5), 60, 0.20), 64, 0.20));
  Nights nights;
  const TrendReport first = nights.night(history);
  ASSERT_EQ(states(first), (States{AlertState::fresh, AlertState::fresh}));
  nights.alerts.pop_back();
  EXPECT_EQ(states(nights.night(history)), (States{AlertState::known, AlertState::fresh}));
}

TEST(AlertStates, ReportsARecoveryOnceAndANewRiseAsNew) {
  History history = scripted::history_of(200);
  std::vector<double> values = stepped(noisy(200, 0.01, 5), 60, 0.10);
  values = stepped(stepped(values, 100, 1 / 1.1 - 1), 150, 0.10);
  scripted::add_series(history, "x", values);
  Nights nights;
  EXPECT_EQ(states(nights.night(scripted::until(history, 90))), States{AlertState::fresh});
  EXPECT_EQ(states(nights.night(scripted::until(history, 130))),
            (States{AlertState::none, AlertState::none, AlertState::recovered}));
  EXPECT_EQ(nights.alerts[0].events.back().news, AlertNews::recovered);
  EXPECT_EQ(states(nights.night(scripted::until(history, 131))),
            (States{AlertState::none, AlertState::none}));
  EXPECT_EQ(states(nights.night(history)),
            (States{AlertState::none, AlertState::none, AlertState::fresh}));
  EXPECT_EQ(states(nights.night(history)),
            (States{AlertState::none, AlertState::none, AlertState::known}));
}

TEST(AlertStates, RaisesNoAlertForAStepThatIsOverAlready) {
  History history = scripted::history_of(200);
  scripted::add_series(history, "x",
                       stepped(stepped(noisy(200, 0.01, 5), 60, 0.10), 100, 1 / 1.1 - 1));
  Nights nights;
  EXPECT_EQ(states(nights.night(history)), (States{AlertState::none, AlertState::none}));
  EXPECT_TRUE(nights.alerts.empty());
}

/// An alert about a step that is not there.
Nights mistaken(const History& history, std::size_t at, double change) {
  Nights nights;
  Alert alert;
  alert.id = "mistake";
  alert.series = trend(history.inputs()).series.at(0).key;
  alert.previous_oid = scripted::oid_at(at - 1);
  alert.oid = scripted::oid_at(at);
  alert.change = change;
  alert.events = {{AlertNews::seen, "night 0"}};
  nights.alerts = {alert};
  return nights;
}

TEST(AlertStates, WithdrawsAnAlertThatIsNoLongerFoundOnce) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "x", noisy(100, 0.01, 5));
  Nights nights = mistaken(history, 60, 0.05);
  EXPECT_EQ(states(nights.night(history)), States{AlertState::withdrawn});
  EXPECT_EQ(nights.alerts[0].events.back().news, AlertNews::withdrawn);
  EXPECT_EQ(states(nights.night(history)), States{});
}

TEST(AlertStates, WithdrawsNothingOnTooFewPoints) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "x", noisy(100, 0.01, 5));
  Nights nights = mistaken(history, 98, 0.05);
  EXPECT_EQ(states(nights.night(history)), States{});
  Nights elsewhere = mistaken(history, 60, 0.05);
  elsewhere.alerts[0].oid = std::string(40, 'e');
  EXPECT_EQ(states(elsewhere.night(history)), States{});
  Nights other = mistaken(history, 60, 0.05);
  other.alerts[0].series.workload = "filtered out";
  EXPECT_EQ(states(other.night(history)), States{});
}

TEST(AlertStates, RemembersTheResultsOfComparisons) {
  const History history = one_step(100);
  Nights refuted;
  refuted.night(history);
  refuted.tell(AlertNews::refuted, "run-7");
  TrendReport report = refuted.night(history);
  EXPECT_EQ(states(report), States{AlertState::refuted});
  EXPECT_EQ(report.series[0].change_points[0].refuted_by, "run-7");
  Nights confirmed;
  confirmed.night(history);
  confirmed.tell(AlertNews::confirmed, "run-8");
  report = confirmed.night(history);
  EXPECT_EQ(states(report), States{AlertState::known});
  EXPECT_EQ(report.series[0].change_points[0].confirmed_by, "run-8");
}

TEST(AlertStates, HidesAlertsBelowTheThresholdWithoutWithdrawingThem) {
  const History history = one_step(100, 0.08);
  Nights nights;
  nights.night(history);
  nights.threshold = 0.10;
  EXPECT_EQ(states(nights.night(history)), States{AlertState::none});
  nights.threshold.reset();
  EXPECT_EQ(states(nights.night(history)), States{AlertState::known});
}

TEST(AlertStates, ReportsASlopeAsNewOnce) {
  History history = scripted::history_of(200);
  std::vector<double> values = noisy(200, 0.01, 5);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] *= 1 + 0.0008 * static_cast<double>(i);
  }
  scripted::add_series(history, "x", values);
  Nights nights;
  TrendReport report = nights.night(scripted::until(history, 190));
  ASSERT_TRUE(report.series[0].trend);
  EXPECT_EQ(report.series[0].trend->state, AlertState::fresh);
  EXPECT_TRUE(report.series[0].trend->worse);
  report = nights.night(history);
  ASSERT_TRUE(report.series[0].trend);
  EXPECT_EQ(report.series[0].trend->state, AlertState::known);
  EXPECT_EQ(report.series[0].trend->first_seen, "night 1");
}

int fresh_alerts(const TrendReport& report) {
  int count = 0;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points) {
      count += step.state == AlertState::fresh ? 1 : 0;
    }
    count += series.trend && series.trend->state == AlertState::fresh ? 1 : 0;
    for (const Drift& drift : series.drifts) {
      count += drift.state == AlertState::fresh ? 1 : 0;
    }
  }
  return count;
}

// 0.1 % a commit from commit 30 on, over 200 commits, a release pinned at 20, and a look every 4th
// night: a step where it is first seen, and the slope. Until the slope is seen, the step may
// wander.
TEST(AlertStates, ReportsASlowDriftAsAboutTwoAlerts) {
  int all = 0, of_two = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    History history = scripted::history_of(230);
    std::vector<double> values = noisy(230, 0.01, seed);
    for (std::size_t i = 30; i < values.size(); ++i) {
      values[i] *= std::pow(1.001, static_cast<double>(i - 30));
    }
    scripted::add_series(history, "x", values);
    Nights nights;
    nights.baselines = {{"release", scripted::oid_at(20), "", ""}};
    int fresh = 0;
    for (std::size_t commits = 40; commits <= 230; commits += 4) {
      fresh += fresh_alerts(nights.quick_night(scripted::until(history, commits)));
    }
    EXPECT_GE(fresh, 1) << seed;
    EXPECT_LE(fresh, 3) << seed;
    all += fresh;
    of_two += fresh <= 2 ? 1 : 0;
  }
  EXPECT_LE(all, 45) << "in 20 histories";
  EXPECT_GE(of_two, 15);
}

/// A quiet series of 100 points of which only the sooner tier says that it steps at 60.
TrendReport with_suspect() {
  History history = scripted::history_of(100);
  scripted::add_series(history, "x", noisy(100, 0.01, 5));
  TrendReport report = trend(history.inputs());
  ChangePoint suspect;
  suspect.index = suspect.commit = 60;
  suspect.previous = 59;
  suspect.change = 0.02;
  suspect.before = 0.1;
  suspect.after = 0.102;
  suspect.worse = true;
  report.series[0].suspects = {suspect};
  return report;
}

Alert about_suspect(const TrendReport& report, std::vector<AlertNews> news) {
  Alert alert;
  alert.id = "a1";
  alert.series = report.series[0].key;
  alert.previous_oid = scripted::oid_at(58);
  alert.oid = scripted::oid_at(59);
  alert.change = 0.02;
  alert.events = {{AlertNews::seen, "night 0"}};
  for (const AlertNews one : news) {
    alert.events.push_back({one, "night 1", "run-1"});
  }
  return alert;
}

TEST(AlertStates, KeepsAnAlertThatIsStillASuspect) {
  for (const bool confirmed : {false, true}) {
    TrendReport report = with_suspect();
    give_states(report, {about_suspect(report, confirmed ? std::vector{AlertNews::confirmed}
                                                         : std::vector<AlertNews>{})});
    EXPECT_TRUE(report.series[0].suspects.empty());
    EXPECT_EQ(states(report), States{AlertState::known});
    EXPECT_EQ(report.series[0].change_points[0].confirmed_by, confirmed ? "run-1" : "");
  }
}

TEST(AlertStates, SilencesOnlyTheRefutedSuspect) {
  TrendReport report = with_suspect();
  give_states(report, {about_suspect(report, {AlertNews::refuted})});
  EXPECT_EQ(report.series[0].suspects.at(0).state, AlertState::refuted);
  for (const AlertNews over : {AlertNews::withdrawn, AlertNews::recovered}) {
    report = with_suspect();
    give_states(report, {about_suspect(report, {over})});
    EXPECT_EQ(report.series[0].suspects.at(0).state, AlertState::none);
    EXPECT_EQ(states(report), States{}) << "said once";
  }
}

TEST(AlertStates, KeepsAWithdrawnAlertThatIsFoundAgain) {
  const History history = one_step(100);
  Nights nights;
  nights.night(history);
  nights.tell(AlertNews::withdrawn);
  EXPECT_EQ(states(nights.night(history)), States{AlertState::known});
}

TEST(AlertStates, GivesEveryAlertItsOwnId) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "x", stepped(noisy(100, 0.01, 5), 60, 0.10), "m1");
  scripted::add_series(history, "x", stepped(noisy(100, 0.01, 5), 30, 0.10), "m2");
  Nights nights;
  nights.night(history);
  ASSERT_EQ(nights.alerts.size(), 2U);
  EXPECT_NE(nights.alerts[0].id, nights.alerts[1].id);
  EXPECT_EQ(nights.alerts[0].id.size(), 32U);
}

}  // namespace
}  // namespace perf

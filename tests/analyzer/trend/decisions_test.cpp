// What people decided about alerts, as the next report honours it.

#include <gtest/gtest.h>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/confirmations.h"
#include "analyzer/trend/trend.h"
#include "schema/text/utc_time.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;
using scripted::stepped;

/// A report that knows what the reports before it showed, and what was decided since.
struct Decided {
  explicit Decided(const History& of) : history(of) {}

  TrendReport report() const {
    TrendInputs inputs = history.inputs();
    inputs.alerts = alerts;
    inputs.baselines = baselines;
    inputs.replays = false;
    return trend(inputs);
  }
  void remember() {
    const AlertRecord record = to_remember(report(), "2020-01-01T00:00:00Z");
    alerts.insert(alerts.end(), record.fresh.begin(), record.fresh.end());
  }
  /// About every alert, at the time of a commit.
  void decide(AlertNews news, std::size_t commit) {
    for (Alert& alert : alerts) {
      alert.events.push_back(
          {news, utc_text(history.line.at(commit).committed_at), "", "Ada", "because"});
    }
  }

  History history;
  std::vector<Alert> alerts{};
  std::vector<Baseline> baselines{};
};

using States = std::vector<AlertState>;

/// Of all findings of a report.
States states_of(const TrendReport& report) {
  States found;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points) {
      found.push_back(step.state);
    }
    if (series.trend) {
      found.push_back(series.trend->state);
    }
    for (const Drift& drift : series.drifts) {
      found.push_back(drift.state);
    }
    for (const ClosedAlert& closed : series.closed) {
      found.push_back(closed.state);
    }
  }
  return found;
}

History history_with(const std::vector<double>& values) {
  History history = scripted::history_of(values.size());
  scripted::add_series(history, "x", values);
  return history;
}

TEST(Decisions, ApplyUntilAnotherStep) {
  const std::vector<double> values = stepped(noisy(200, 0.01, 5), 60, 0.10);
  Decided decided(history_with(values));
  decided.remember();
  decided.decide(AlertNews::ignored, 120);
  EXPECT_EQ(states_of(decided.report()), States{AlertState::ignored});
  EXPECT_EQ(decided.report().series[0].change_points[0].decision->reason, "because");
  decided.decide(AlertNews::acknowledged, 121);
  EXPECT_EQ(states_of(decided.report()), States{AlertState::known});

  decided.decide(AlertNews::ignored, 122);
  decided.history = history_with(stepped(values, 150, 0.10));
  EXPECT_EQ(states_of(decided.report()), (States{AlertState::ignored, AlertState::fresh}));
}

TEST(Decisions, OnARepairApplyUntilThreePointsContradict) {
  const std::vector<double> bad = stepped(noisy(200, 0.01, 5), 60, 0.10);
  for (const auto& [said_at, state] : {std::pair{197, AlertState::known},
                                       {196, AlertState::reopened},
                                       {70, AlertState::reopened}}) {
    Decided decided(history_with(bad));
    decided.remember();
    decided.decide(AlertNews::fixed, static_cast<std::size_t>(said_at));
    EXPECT_EQ(states_of(decided.report()), States{state}) << said_at;
  }
  // A bad night more, and then the repair.
  for (const std::size_t mended : {198, 150}) {
    Decided decided(history_with(bad));
    decided.remember();
    decided.decide(AlertNews::fixed, mended - 2);
    decided.history = history_with(stepped(bad, mended, 1 / 1.1 - 1));
    EXPECT_EQ(std::ranges::count(states_of(decided.report()), AlertState::reopened), 0) << mended;
  }
}

// What explained a drift goes on to do so: else accepting a step would raise an alert.
TEST(Decisions, OnAStepApplyToItsDrift) {
  Decided decided(history_with(stepped(noisy(200, 0.01, 5), 60, 0.15)));
  decided.baselines = {{"release", scripted::oid_at(20), "", ""}};
  decided.remember();
  ASSERT_EQ(decided.alerts.size(), 1U);
  decided.decide(AlertNews::ignored, 120);
  EXPECT_EQ(states_of(decided.report()), (States{AlertState::ignored, AlertState::none}));
}

TEST(Decisions, OnADriftApplyUntilItHasGrown) {
  const auto creeping = [](std::size_t commits, double last) {
    std::vector<double> values = noisy(commits, 0.01, 5);
    for (const std::size_t at : {50, 90, 130}) {
      values = stepped(values, at, 0.04);
    }
    for (const std::size_t at : {170, 190, 210}) {
      values = stepped(values, at, last);
    }
    return values;
  };
  Decided decided(scripted::until(history_with(creeping(240, 0)), 160));
  decided.baselines = {{"release", scripted::oid_at(20), "", ""}};
  decided.remember();
  std::erase_if(decided.alerts, [](const Alert& one) { return one.kind != AlertKind::drift; });
  ASSERT_EQ(decided.alerts.size(), 1U);
  decided.decide(AlertNews::ignored, 159);
  const auto drift_of = [&] { return decided.report().series[0].drifts.at(0).state; };
  EXPECT_EQ(drift_of(), AlertState::ignored);
  decided.history = history_with(creeping(240, 0.02));
  EXPECT_EQ(drift_of(), AlertState::ignored);
  decided.history = history_with(creeping(240, 0.05));
  EXPECT_EQ(drift_of(), AlertState::reopened);
}

// Two steps of which the detector often makes one: what was accepted was the first of them.
TEST(Decisions, OnAStepDoNotHideItsNeighbour) {
  int reopened = 0, hidden = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<double> first = stepped(noisy(120, 0.015, seed), 60, 0.08);
    Decided decided(scripted::until(history_with(first), 63));
    decided.remember();
    if (decided.alerts.size() != 1) {
      continue;  // not yet found
    }
    decided.history = history_with(stepped(first, 63, 0.12));
    decided.decide(AlertNews::ignored, 62);
    const States found = states_of(decided.report());
    hidden += found == States{AlertState::ignored} ? 1 : 0;
    reopened += found == States{AlertState::reopened} ? 1 : 0;
    // It alone, or with what the noise adds, is what was accepted.
    decided.history = history_with(stepped(first, 63, 0.01));
    EXPECT_EQ(states_of(decided.report()), States{AlertState::ignored}) << seed;
    // So is all of it, for who decides later.
    decided.history = history_with(stepped(first, 63, 0.12));
    decided.decide(AlertNews::acknowledged, 100);
    EXPECT_EQ(std::ranges::count(states_of(decided.report()), AlertState::reopened), 0) << seed;
  }
  EXPECT_GE(reopened, 3);
  EXPECT_LE(hidden, 1) << "where the first was seen as larger than it is";
}

// A step of twice the noise, accepted on the night that showed it, with few points known. Of 148
// such series 1 was reopened in any of the nights that followed, of steps of 3 and 5 % none.
TEST(Decisions, AreNotReopenedByNoise) {
  int reopened = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const History all = history_with(stepped(noisy(160, 0.01, seed), 60, 0.02));
    Decided decided(all);
    std::size_t night = 62;
    for (; night < 90 && decided.alerts.empty(); ++night) {
      decided.history = scripted::until(all, night + 1);
      decided.remember();
    }
    decided.history = all;
    decided.decide(AlertNews::ignored, night - 1);
    bool any = false;
    for (std::size_t commits = night + 1; commits < 160 && !any; commits += 3) {
      decided.history = scripted::until(all, commits);
      any = std::ranges::count(states_of(decided.report()), AlertState::reopened) > 0;
    }
    reopened += any ? 1 : 0;
  }
  EXPECT_LE(reopened, 2);
}

TEST(Decisions, OnAWithdrawnAlertApplyWhenItReturns) {
  Decided decided(history_with(stepped(noisy(100, 0.01, 5), 60, 0.10)));
  decided.remember();
  decided.alerts.at(0).events.push_back({AlertNews::withdrawn, "2020-01-02T00:00:00Z"});
  decided.decide(AlertNews::ignored, 80);
  EXPECT_EQ(states_of(decided.report()), States{AlertState::ignored});
}

// The series of the machine and that paired with a baseline have one regression.
TEST(Decisions, OnOneSeriesSilenceThePairedOne) {
  History history = scripted::history_of(100);
  scripted::add_series(history, "x", stepped(noisy(100, 0.01, 5), 60, 0.10));
  Decided decided(history);
  decided.remember();
  decided.decide(AlertNews::ignored, 90);
  RecordedSeries& paired =
      scripted::add_series(decided.history, "x", stepped(noisy(100, 0.01, 6, 1.0), 60, 0.10), "");
  paired.anchor = scripted::oid_at(10);
  const States found = states_of(decided.report());
  EXPECT_EQ(std::ranges::count(found, AlertState::fresh), 0);
  EXPECT_EQ(std::ranges::count(found, AlertState::ignored), 1);
}

/// Five series that step at once, of which one was decided about.
Decided decided_member(AlertNews news) {
  History history = scripted::history_of(100);
  for (int i = 0; i < 5; ++i) {
    scripted::add_series(history, "w" + std::to_string(i),
                         stepped(noisy(100, 0.001, 10), 60, 0.10 + 0.05 * i));
  }
  Decided decided(history);
  decided.remember();
  decided.decide(news, 80);
  return decided;
}

TEST(Decisions, OnAMachineEventApplyOnceItIsAnAlert) {
  for (const AlertNews news : {AlertNews::acknowledged, AlertNews::ignored}) {
    Decided decided = decided_member(news);
    ASSERT_EQ(decided.alerts.size(), 5U);
    EXPECT_EQ(states_of(decided.report()), States(5, AlertState::none));
    EXPECT_TRUE(decided.report().machine_events.at(0).known);
    // Alone, it would be new.
    decided.history = scripted::history_of(100);
    scripted::add_series(decided.history, "w4", stepped(noisy(100, 0.001, 10), 60, 0.30));
    EXPECT_EQ(states_of(decided.report()),
              States{news == AlertNews::ignored ? AlertState::ignored : AlertState::known});
    EXPECT_EQ(to_remember(decided.report(), "later").news.size(), 1U) << "it is shown";
  }
}

TEST(Decisions, PreventFurtherComparisons) {
  for (const auto& [news, wanted] :
       {std::pair{AlertNews::acknowledged, 1U}, {AlertNews::ignored, 0U}, {AlertNews::fixed, 0U}}) {
    Decided decided(history_with(stepped(noisy(200, 0.01, 5), 60, 0.10)));
    decided.remember();
    decided.decide(news, 198);
    EXPECT_EQ(confirmations(decided.report()).size(), wanted) << to_string(news);
  }
  Decided wrong(history_with(stepped(noisy(200, 0.01, 5), 60, 0.10)));
  wrong.remember();
  wrong.decide(AlertNews::fixed, 100);
  EXPECT_EQ(confirmations(wrong.report()).size(), 1U) << "it is there still";
}

}  // namespace
}  // namespace perf

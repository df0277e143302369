#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/internal.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;
using scripted::stepped;

TrendInputs pinned(const History& history, std::size_t position) {
  TrendInputs inputs = history.inputs();
  inputs.baselines = {{"release", scripted::oid_at(position), "", ""}};
  return inputs;
}

/// Three steps of 4 %, at 50, 90 and 130.
History creeping(std::size_t commits = 200) {
  History history = scripted::history_of(commits);
  std::vector<double> values = noisy(commits, 0.01, 5);
  for (const std::size_t at : {50, 90, 130}) {
    values = stepped(values, at, 0.04);
  }
  scripted::add_series(history, "x", values);
  return history;
}

TEST(CumulativeDrift, AddsSmallSteps) {
  const History history = creeping();
  const TrendReport report = trend(pinned(history, 20));
  ASSERT_EQ(report.series[0].drifts.size(), 1U);
  const Drift& drift = report.series[0].drifts[0];
  EXPECT_EQ(drift.baseline, "release");
  EXPECT_EQ(report.positions[drift.previous], 20U);
  EXPECT_NEAR(drift.change, 1.04 * 1.04 * 1.04 - 1, 0.02);
  EXPECT_LT(drift.interval->low, drift.change);
  EXPECT_GT(drift.interval->high, drift.change);
  EXPECT_TRUE(drift.beyond);
  EXPECT_TRUE(drift.worse);
  EXPECT_EQ(drift.threshold, 0.10);
  EXPECT_EQ(drift.state, AlertState::fresh);
}

TEST(CumulativeDrift, IsNewOnceAndStaysUntilHalfOfItIsGone) {
  const History history = creeping();
  TrendInputs inputs = pinned(history, 20);
  std::vector<Alert> alerts;
  for (const Alert& alert : to_remember(trend(inputs), "night 1").fresh) {
    if (alert.kind == AlertKind::drift) {
      alerts.push_back(alert);
    }
  }
  ASSERT_EQ(alerts.size(), 1U);
  EXPECT_EQ(alerts[0].baseline, "release");
  EXPECT_EQ(alerts[0].previous_oid, scripted::oid_at(20));
  inputs.alerts = alerts;
  EXPECT_EQ(trend(inputs).series[0].drifts[0].state, AlertState::known);

  for (const double left : {0.08, 0.02}) {
    History later = scripted::history_of(260);
    std::vector<double> values = noisy(260, 0.01, 5);
    for (const std::size_t at : {50, 90, 130}) {
      values = stepped(values, at, 0.04);
    }
    values = stepped(values, 200, (1 + left) / (1.04 * 1.04 * 1.04) - 1);
    scripted::add_series(later, "x", values);
    TrendInputs tonight = pinned(later, 20);
    tonight.alerts = alerts;
    const TrendSeries series = trend(tonight).series[0];
    if (left > 0.05) {
      EXPECT_FALSE(series.drifts[0].beyond);
      EXPECT_EQ(series.drifts[0].state, AlertState::known);
    } else {
      EXPECT_EQ(series.drifts[0].state, AlertState::none);
      ASSERT_EQ(series.closed.size(), 1U);
      EXPECT_EQ(series.closed[0].state, AlertState::recovered);
    }
  }
}

TEST(CumulativeDrift, IsNotReportedBesideAStepThatExplainsIt) {
  History history = scripted::history_of(200);
  scripted::add_series(history, "x", stepped(noisy(200, 0.01, 5), 100, 0.15));
  const TrendReport report = trend(pinned(history, 20));
  EXPECT_EQ(report.series[0].change_points.at(0).state, AlertState::fresh);
  EXPECT_TRUE(report.series[0].drifts.at(0).beyond);
  EXPECT_EQ(report.series[0].drifts.at(0).state, AlertState::none);
}

TEST(CumulativeDrift, IgnoresNoise) {
  History history = scripted::history_of(100);
  for (std::uint64_t i = 0; i < 300; ++i) {
    scripted::add_series(history, "w" + std::to_string(i), noisy(100, 0.04, i));
  }
  TrendInputs inputs = pinned(history, 20);
  inputs.policy.threshold = 0.04;
  int beyond = 0;
  for (const TrendSeries& series : trend(inputs).series) {
    beyond += series.drifts.at(0).beyond ? 1 : 0;
  }
  EXPECT_LE(beyond, 3) << "1 % of 300, two-sided";
}

/// 0.1 % a commit from position 30 to 230, on noise of 1 %.
std::vector<double> drifting(std::size_t commits, std::uint64_t seed) {
  std::vector<double> values = noisy(commits, 0.01, seed);
  for (std::size_t i = 30; i < commits; ++i) {
    values[i] *= std::pow(1.001, static_cast<double>(std::min<std::size_t>(i - 30, 200)));
  }
  return values;
}

TEST(CumulativeDrift, DoesNotCountASlowDriftAsNoise) {
  const double planted = std::pow(1.001, 200) - 1;
  History history = scripted::history_of(245);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    scripted::add_series(history, "w" + std::to_string(seed), drifting(245, seed));
  }
  for (const TrendSeries& series : trend(pinned(history, 20)).series) {
    const Drift& drift = series.drifts.at(0);
    EXPECT_TRUE(drift.beyond) << series.key.workload;
    EXPECT_NEAR(drift.change, planted, 0.02) << series.key.workload;
    EXPECT_NEAR(drift.interval->low, 0.20, 0.025) << series.key.workload;
    EXPECT_NEAR(drift.interval->high, 0.24, 0.025) << series.key.workload;
  }
}

/// Correlated neighbours: a first-order autoregression of 0.7.
std::vector<double> correlated_neighbours(std::size_t points, double deviation,
                                          std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  double last = normal(random);
  std::vector<double> values(points);
  for (double& value : values) {
    last = 0.7 * last + std::sqrt(1 - 0.7 * 0.7) * normal(random);
    value = 0.1 * std::exp(deviation * last);
  }
  return values;
}

TEST(CumulativeDrift, IgnoresNoiseThatLasts) {
  History history = scripted::history_of(200);
  for (std::uint64_t i = 0; i < 500; ++i) {
    scripted::add_series(history, "w" + std::to_string(i), correlated_neighbours(200, 0.04, i));
  }
  TrendInputs inputs = pinned(history, 20);
  inputs.policy.threshold = 0.04;
  int beyond = 0;
  for (const TrendSeries& series : trend(inputs).series) {
    for (const Drift& drift : series.drifts) {
      beyond += drift.beyond ? 1 : 0;
    }
  }
  EXPECT_LE(beyond, 5) << "1 % of 500";
}

TEST(CumulativeDrift, UsesTheNeighbourOfAnUnmeasuredBaseline) {
  History history = scripted::history_of(200);
  scripted::add_series(history, "x", stepped(noisy(20, 0.001, 5), 10, 0.10), "m1", kStepTime, 0,
                       10);
  EXPECT_EQ(trend(pinned(history, 42)).series[0].drifts.size(), 1U);
  const TrendReport report = trend(pinned(history, 42));
  EXPECT_EQ(report.positions[report.series[0].drifts[0].previous], 40U);
  EXPECT_TRUE(trend(pinned(history, 95)).series[0].drifts.empty()) << "a step between";
  EXPECT_TRUE(trend(pinned(history, 190)).series[0].drifts.empty()) << "nothing after it";
  TrendInputs elsewhere = history.inputs();
  elsewhere.baselines = {{"release", std::string(40, 'f'), "", ""}};
  EXPECT_TRUE(trend(elsewhere).series[0].drifts.empty());
}

}  // namespace
}  // namespace perf

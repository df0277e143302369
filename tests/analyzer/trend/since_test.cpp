#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;
using scripted::stepped;

TrendReport whole() {
  History history = scripted::history_of(200);
  std::vector<double> values = stepped(stepped(noisy(200, 0.002, 5), 60, 0.10), 120, 0.10);
  scripted::add_series(history, "x", values);
  scripted::add_series(history, "gone", noisy(50, 0.002, 6));
  TrendInputs inputs = history.inputs();
  inputs.baselines = {{"release", scripted::oid_at(20), "", ""}};
  return trend(inputs);
}

TEST(Since, DropsPointsAndFindingsBefore) {
  const TrendReport report = since(whole(), 120);
  ASSERT_EQ(report.series.size(), 1U);
  const TrendSeries& series = report.series[0];
  EXPECT_EQ(series.points.size(), 80U);
  ASSERT_EQ(series.change_points.size(), 1U);
  const ChangePoint& step = series.change_points[0];
  EXPECT_EQ(step.index, 0U);
  EXPECT_EQ(report.commits[step.commit].oid, scripted::oid_at(120));
  EXPECT_EQ(report.commits[step.previous].oid, scripted::oid_at(119));
  EXPECT_EQ(report.positions[step.previous], 119U);
  ASSERT_EQ(series.drifts.size(), 1U);
  EXPECT_EQ(report.commits[series.drifts[0].previous].oid, scripted::oid_at(20));
  EXPECT_EQ(report.commits.size(), 82U);
  EXPECT_EQ(report.commits[series.points[0].commit].oid, scripted::oid_at(120));
  EXPECT_EQ(to_remember(report, "tonight").fresh.size(), 1U) << "what was not shown is not seen";
}

TEST(Since, DropsNothingFromTheBeginning) {
  const TrendReport all = whole(), report = since(whole(), 0);
  EXPECT_EQ(report.commits.size(), all.commits.size());
  EXPECT_EQ(report.series.size(), 2U);
  EXPECT_EQ(report.series[1].change_points.size(), all.series[1].change_points.size());
}

TEST(Since, IsEmptyAfterTheEnd) {
  const TrendReport report = since(whole(), 1000);
  EXPECT_TRUE(report.series.empty());
  EXPECT_TRUE(report.commits.empty());
  EXPECT_EQ(report.line, 200U);
}

TEST(Since, KeepsASlopeWhole) {
  History history = scripted::history_of(60);
  std::vector<double> values = noisy(60, 0.001, 5);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] *= std::exp(0.002 * static_cast<double>(i));
  }
  scripted::add_series(history, "x", values);
  const TrendReport all = trend(history.inputs());
  ASSERT_TRUE(all.series.at(0).trend);
  const Slope& whole = *all.series[0].trend;
  EXPECT_EQ(whole.points, whole.end - whole.begin);

  const TrendReport report = since(all, 50);
  ASSERT_TRUE(report.series.at(0).trend);
  const Slope& slope = *report.series[0].trend;
  EXPECT_EQ(slope.begin, 0U);
  EXPECT_EQ(slope.end, 10U);
  EXPECT_EQ(slope.points, whole.points) << "those of the fit, whose total it is";
  EXPECT_EQ(report.commits[slope.previous].oid, all.commits[whole.previous].oid);
  EXPECT_EQ(report.commits[slope.commit].oid, all.commits[whole.commit].oid);
  const AlertRecord wanted = to_remember(all, "tonight"), record = to_remember(report, "tonight");
  ASSERT_EQ(wanted.fresh.size(), 1U);
  ASSERT_EQ(record.fresh.size(), 1U);
  EXPECT_EQ(record.fresh[0].kind, AlertKind::slope);
  EXPECT_EQ(record.fresh[0].previous_oid, wanted.fresh[0].previous_oid);
  EXPECT_EQ(record.fresh[0].oid, wanted.fresh[0].oid);
}

TEST(Since, CountsMeasurementsBeforeTheCut) {
  const TrendReport report = since(whole(), 150);
  EXPECT_EQ(report.measured, 200U);
  EXPECT_EQ(report.longest, 200U);
}

TEST(Since, KeepsTheMembersOfMachineEvents) {
  History history = scripted::history_of(200);
  for (int i = 0; i < 5; ++i) {
    scripted::add_series(history, "w" + std::to_string(i),
                         stepped(stepped(noisy(200, 0.002, 5), 60, 0.10), 120, 0.10));
  }
  const TrendReport all = trend(history.inputs());
  ASSERT_EQ(all.machine_events.size(), 2U);
  const TrendReport report = since(all, 100);
  ASSERT_EQ(report.machine_events.size(), 1U);
  EXPECT_EQ(report.commits[report.machine_events[0].first].oid, scripted::oid_at(120));
  EXPECT_EQ(report.series[0].change_points.at(0).machine_event, 0U);
}

}  // namespace
}  // namespace perf

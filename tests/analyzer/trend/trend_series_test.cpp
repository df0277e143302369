#include "analyzer/trend/trend_series.h"

#include <gtest/gtest.h>

#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;

TEST(TrendSeries, HasMediansOverTheInvocationsOfACommit) {
  History history = scripted::history_of(10);
  RecordedSeries& series = scripted::add_series(history, "parser", {});
  series.values = {{3, 0, 0, 0, 5.0},
                   {3, 0, 0, 0, 1.0},
                   {3, 0, 0, 0, 2.0},
                   {7, 0, 0, 0, 4.0},
                   {7, 0, 0, 0, 6.0}};
  const MeasuredLine line = measured_line(history.recorded);
  EXPECT_EQ(line.positions, (std::vector<std::uint32_t>{3, 7}));
  ASSERT_EQ(line.series.size(), 1U);
  const TrendPoints& points = line.series[0].series.points;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].commit, 0U);
  EXPECT_EQ(points[0].invocations, 3U);
  EXPECT_EQ(points[0].value, 2.0);
  EXPECT_EQ(points[1].commit, 1U);
  EXPECT_EQ(points[1].value, 5.0);
}

RecordedSeries child(const std::string& entry, const std::string& name) {
  RecordedSeries series;
  series.workload = entry;
  series.name = name;
  series.metric = kStepTime;
  series.fingerprint = "m1";
  series.values = {{0, 0, 0, 0, 1.0}};
  return series;
}

std::vector<std::string> names(const MeasuredLine& line) {
  std::vector<std::string> found;
  for (const MeasuredSeries& one : line.series) {
    found.push_back(one.series.key.workload);
  }
  return found;
}

TEST(TrendSeries, UsesTheStoredNamesOfChildren) {
  History history = scripted::history_of(1);
  history.recorded.series = {child("suite", "suite/fast"), child("suite", "suite/fast-2"),
                             child("suite", "suite/slow")};
  RecordedSeries whole = child("suite", "suite");
  whole.metric = kPeakRss;
  history.recorded.series.push_back(whole);
  const MeasuredLine line = measured_line(history.recorded);
  EXPECT_EQ(names(line),
            (std::vector<std::string>{"suite", "suite/fast", "suite/fast-2", "suite/slow"}));
  EXPECT_EQ(line.series[1].series.entry, "suite");
}

TEST(TrendSeries, SeparatesParametersMachinesAndAnchors) {
  History history = scripted::history_of(2);
  scripted::add_series(history, "parser", {1.0, 1.0}, "m1");
  scripted::add_series(history, "parser", {1.0, 1.0}, "m2");
  scripted::add_series(history, "parser", {1.0, 1.0}, "").anchor = scripted::oid_at(0);
  scripted::add_series(history, "parser", {1.0, 1.0}, "m1").params["n"] = std::int64_t{4};
  EXPECT_EQ(measured_line(history.recorded).series.size(), 4U);
}

TEST(TrendSeries, AlertsOnJudgedMetricsOnly) {
  TrendSeries series;
  const auto may = [&](const std::string& metric, const Policy& policy) {
    series.key.workload = "parser";
    series.key.metric = metric;
    return may_alert(series, policy);
  };
  Policy policy;
  EXPECT_TRUE(may("step_time", policy));
  EXPECT_TRUE(may("peak_rss", policy));
  EXPECT_FALSE(may("instructions", policy));
  EXPECT_FALSE(may("latency", policy));
  policy.thresholds.push_back({"", "latency", 0.2});
  EXPECT_TRUE(may("latency", policy));
  series.judge = true;
  EXPECT_TRUE(may("value", policy));
  policy.metrics = {"instructions"};
  EXPECT_TRUE(may("instructions", policy));
  EXPECT_FALSE(may("step_time", policy));
}

}  // namespace
}  // namespace perf

#include "analyzer/trend/false_alarms.h"

#include <gtest/gtest.h>

#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;

TEST(FalseAlarms, AreCountedOnReplaysOfTheNoise) {
  History history = scripted::history_of(300);
  scripted::add_clean_series(history, 20, 3);
  const FalseAlarmRate rate = trend(history.inputs()).false_alarms;
  EXPECT_GT(rate.points, 150'000U);
  EXPECT_LE(rate.points, kReplayedPoints);
  EXPECT_EQ(rate.series, rate.points / 300);
  EXPECT_LE(rate.alarmed, rate.series / 20);
  EXPECT_LT(rate.per_1000_points, 0.1);
  EXPECT_NEAR(rate.expected, rate.per_1000_points * 6, 1e-9);
}

TEST(FalseAlarms, StepsAreTakenOutFirst) {
  History history = scripted::history_of(300);
  scripted::add_series(history, "x", scripted::stepped(noisy(300, 0.01, 5), 100, 0.30));
  EXPECT_LT(trend(history.inputs()).false_alarms.per_1000_points, 0.2);
}

TEST(FalseAlarms, ManySeriesAreSampled) {
  History history = scripted::history_of(1000);
  for (int i = 0; i < 500; ++i)
    scripted::add_series(history, "w" + std::to_string(i), noisy(1000, 0.01, 1));
  const MeasuredLine line = measured_line(history.recorded);
  const FalseAlarmRate rate = false_alarm_rate(line.series, Policy{});
  EXPECT_EQ(rate.points, kReplayedPoints + 50'000);
  EXPECT_EQ(rate.series, 250U);
}

TEST(FalseAlarms, NothingToReplay) {
  EXPECT_EQ(false_alarm_rate({}, Policy{}).points, 0U);
  History history = scripted::history_of(3);
  scripted::add_series(history, "x", {1, 2, 3});
  EXPECT_EQ(trend(history.inputs()).false_alarms.points, 0U);
}

}  // namespace
}  // namespace perf

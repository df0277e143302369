#include "analyzer/trend/false_alarms.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "analyzer/trend/trend.h"
#include "tests/analyzer/detector/synthetic_series.h"
#include "tests/analyzer/trend/nightly_alarms.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;
using scripted::noisy;

TEST(FalseAlarms, CountStepsInReplayedNoise) {
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

TEST(FalseAlarms, RemoveStepsFirst) {
  History history = scripted::history_of(300);
  scripted::add_series(history, "x", scripted::stepped(noisy(300, 0.01, 5), 100, 0.30));
  EXPECT_LT(trend(history.inputs()).false_alarms.per_1000_points, 0.2);
}

/// Of series that were not searched.
FalseAlarmRate rate_of(const History& history) {
  NoiseSample sample{Policy{}};
  for (const MeasuredSeries& one : measured_line(history.recorded).series) {
    sample.add(one.series);
  }
  return sample.rate();
}

TEST(FalseAlarms, SampleManySeries) {
  History history = scripted::history_of(1000);
  for (int i = 0; i < 500; ++i) {
    scripted::add_series(history, "w" + std::to_string(i), noisy(1000, 0.01, 1));
  }
  const FalseAlarmRate rate = rate_of(history);
  EXPECT_EQ(rate.points, kReplayedPoints + 50'000);
  EXPECT_EQ(rate.series, 250U);
}

/// 20 series of 120 points with two modes that stay for 10 points on average.
History moody(std::uint64_t seed, const Metric& metric = kStepTime) {
  History history = scripted::history_of(120);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20; ++i) {
    scripted::add_series(history, "w" + std::to_string(i),
                         test::times(test::noise_of(test::Nature::sticky, 120, 0.01, random)), "m1",
                         metric);
  }
  return history;
}

TEST(FalseAlarms, IncreaseWithNightlyReports) {
  const FalseAlarmRate rate = trend(moody(3).inputs()).false_alarms;
  EXPECT_NEAR(static_cast<double>(rate.nightly_points), 22'000, 2'000);
  EXPECT_NEAR(
      rate.per_1000_points_nightly,
      1000.0 * static_cast<double>(rate.nightly_alarms) / static_cast<double>(rate.nightly_points),
      1e-9);
  EXPECT_GT(rate.per_1000_points_nightly, 1.0) << "in truth 3.5";
  EXPECT_LT(rate.per_1000_points_nightly, 7.0);
  EXPECT_GT(rate.per_1000_points_nightly, 2 * rate.per_1000_points);
  EXPECT_EQ(trend(moody(3).inputs()).false_alarms.nightly_alarms, rate.nightly_alarms);
}

TEST(FalseAlarms, AreRareInNightlyWhiteNoise) {
  History history = scripted::history_of(120);
  scripted::add_clean_series(history, 20, 4);
  const FalseAlarmRate rate = trend(history.inputs()).false_alarms;
  EXPECT_LT(rate.per_1000_points_nightly, 0.4) << "in truth 0.15";
}

TEST(FalseAlarms, ReplayALongHistoryInStretches) {
  History history = scripted::history_of(1000);
  for (int i = 0; i < 300; ++i) {
    scripted::add_series(history, "w" + std::to_string(i), noisy(1000, 0.01, 1));
  }
  const FalseAlarmRate rate = rate_of(history);
  EXPECT_EQ(rate.nightly_points % kNightsSearched, 0U);
  EXPECT_GT(rate.nightly_points, 6'000U);
  EXPECT_LT(rate.nightly_points, kNightlySearched / kNightsSearched);
}

/// What an alert says of its evidence is right within a factor of two over noise of all natures.
TEST(FalseAlarms, AreAsRareAsTheirEvidenceImplies) {
  const test::ReplayedNights replayed = test::replayed_nights(250, 21);
  for (const double evidence : {2.8, 3.5, 4.0, 5.0, 6.0, 8.0}) {
    const double said = false_alarms_as_clear(evidence);
    EXPECT_LT(replayed.per_1000(evidence), 2 * said) << evidence;
    EXPECT_GT(replayed.per_1000(evidence), said / 2) << evidence;
  }
  EXPECT_EQ(false_alarms_as_clear(2), false_alarms_as_clear(2.8));
  EXPECT_EQ(false_alarms_as_clear(50), kLeastFalseAlarms);
}

TEST(FalseAlarms, AreNoneWithoutSeries) {
  EXPECT_EQ(NoiseSample(Policy{}).rate().points, 0U);
  History history = scripted::history_of(3);
  scripted::add_series(history, "x", {1, 2, 3});
  EXPECT_EQ(trend(history.inputs()).false_alarms.points, 0U);
}

}  // namespace
}  // namespace perf

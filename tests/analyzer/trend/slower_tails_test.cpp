#include <gtest/gtest.h>

#include "analyzer/trend/alert_states.h"
#include "tests/analyzer/trend/tail_histories.h"

namespace perf {
namespace {

using scripted::History;
using scripted::report_on;
using scripted::score_tails;
using scripted::Slow;
using scripted::Tails;
using scripted::TailScore;

TEST(SlowerTails, AreFoundWhereTheMedianDoesNotMove) {
  const Tails spread{.grows = 2};
  const Tails delays{.slow = Slow::delays, .steps = 500, .size = 0.2, .grows = 2};
  for (const Tails& of : {spread, delays}) {
    const TailScore twice = score_tails(of, 50, 1);
    EXPECT_GE(twice.found, 47);
    EXPECT_EQ(twice.others, 0);
    EXPECT_EQ(twice.tails, static_cast<std::size_t>(twice.found)) << "one a change";
  }
  EXPECT_GE(score_tails({.at = 110, .grows = 1.5}, 50, 2).found, 47);
}

TEST(SlowerTails, AreNoneInQuietSeries) {
  for (const test::Nature nature : test::all_natures()) {
    for (const Slow slow : {Slow::spread, Slow::delays}) {
      EXPECT_EQ(score_tails({.slow = slow, .nature = nature}, 25, 3).tails, 0U)
          << test::name_of(nature);
    }
  }
}

TEST(SlowerTails, AreNoneWhereNoiseBetweenProcessesChanges) {
  for (const double louder : {0.2, 5.0}) {
    EXPECT_EQ(score_tails({.between = 0.03, .louder = louder}, 50, 4).tails, 0U) << louder;
  }
}

TEST(SlowerTails, AreNoneBesideAStepOfTheMedian) {
  EXPECT_EQ(score_tails({.grows = 2, .change = 0.1}, 50, 5).tails, 0U);
}

// Too small a step to be found in noise of 5 %: work that delays every step makes tails shorter.
TEST(SlowerTails, AreNoneWhereTheMedianMovedUnseen) {
  History history = scripted::history_of(120);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Tails of{.at = 60, .level = 0.01, .size = 0.2};
    for (RecordedValue& value : scripted::add_tails(history, of, seed).values) {
      const double more = value.commit < of.at ? 0 : 0.002;
      value.tail = static_cast<float>((value.tail * value.value + more) / (value.value + more));
      value.value += more;
    }
  }
  for (const TrendSeries& series : report_on(history).series) {
    EXPECT_TRUE(series.tails.empty());
  }
}

TEST(SlowerTails, NeedEnoughSteps) {
  History history = scripted::history_of(120);
  for (RecordedValue& value : scripted::add_tails(history, {.grows = 2}, 6).values) {
    value.tail = value.commit % 3 == 0 ? value.tail : 0;  // gaps
  }
  ASSERT_EQ(report_on(history).series[0].tails.size(), 1U);
  EXPECT_EQ(report_on(history).series[0].tails[0].index, 102U) << "the first with a tail";
  for (RecordedValue& value : history.recorded.series[0].values) {
    value.tail = 0;
  }
  EXPECT_TRUE(report_on(history).series[0].tails.empty());
}

TEST(SlowerTails, AreSuspectsWithACommand) {
  History history = scripted::history_of(120);
  scripted::add_tails(history, {.grows = 2}, 7);
  const TrendReport report = report_on(history);
  EXPECT_TRUE(report.series[0].change_points.empty());
  ASSERT_EQ(report.series[0].tails.size(), 1U);
  const ChangePoint& tail = report.series[0].tails[0];
  EXPECT_NEAR(tail.index, 100, 2);
  EXPECT_EQ(tail.commit, tail.index);
  EXPECT_EQ(tail.state, AlertState::none);
  EXPECT_TRUE(tail.worse);
  EXPECT_NEAR(tail.before, 1.066, 0.01) << "1.28 deviations of 5 %";
  EXPECT_NEAR(tail.after, 1.137, 0.02);
  EXPECT_NEAR(tail.change, 0.066, 0.02);
  EXPECT_NE(tail.confirm.find(" --metric step_time.p90"), std::string::npos) << tail.confirm;
  EXPECT_TRUE(to_remember(report, "tonight").fresh.empty());
  EXPECT_EQ(since(report, 100).series[0].tails.size(), tail.index >= 100 ? 1U : 0U);
  EXPECT_TRUE(since(report, 110).series[0].tails.empty());
}

TEST(SlowerTails, AreLeftToAQuantileThatIsJudged) {
  History history = scripted::history_of(120);
  scripted::add_tails(history, {.grows = 2}, 7);
  TrendInputs inputs = history.inputs();
  inputs.policy.thresholds = {{"w*", "step_time.p99", 0.1}};
  EXPECT_TRUE(trend(inputs).series[0].tails.empty());
}

}  // namespace
}  // namespace perf

// What docs/bisect.md promises, replayed on histories with known steps. Fixed seeds: a failure is a
// change of the rule, not bad luck.

#include "tests/analyzer/bisect/bisect_replay.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

using bisect_replay::Noise;
using bisect_replay::Outcome;
using bisect_replay::Scenario;

/// 512 commits, a step of 2 %, noise of 0.5 %: right in at least 98 % (here: 99), and at most 50
/// pairs, those of GOOD and BAD included.
TEST(BisectReplay, FindsTheStepInFewPairs) {
  const Outcome outcome = bisect_replay::run({});
  EXPECT_EQ(outcome.histories, 2000);
  EXPECT_GE(outcome.right, 1980);
  EXPECT_EQ(outcome.none, 0);
  EXPECT_LE(outcome.mean_pairs, 28);
  EXPECT_LE(outcome.most_pairs, 50);
}

// Early looks at GOOD and BAD alone: as right, with fewer pairs.
TEST(BisectReplay, FindsTheStepOfADearWorkload) {
  for (const Noise noise : {Noise::normal, Noise::student3, Noise::wild}) {
    Scenario scenario;
    scenario.noise = noise;
    scenario.steps = {0.05};
    const Outcome before = bisect_replay::run(scenario);
    scenario.dear = true;
    const Outcome outcome = bisect_replay::run(scenario);
    EXPECT_GE(outcome.right, before.right - 10) << to_string(noise);
    EXPECT_LE(outcome.none, before.none + 2) << to_string(noise);
    EXPECT_LE(outcome.mean_pairs, before.mean_pairs - 3) << to_string(noise);
  }
  Scenario none;
  none.dear = true;
  none.steps = {0.0};
  const Outcome outcome = bisect_replay::run(none);
  EXPECT_LE(outcome.right + outcome.wrong, 20);
}

TEST(BisectReplay, ToleratesHeavyTails) {
  Scenario scenario;
  scenario.noise = Noise::student3;
  const Outcome outcome = bisect_replay::run(scenario);
  EXPECT_GE(outcome.right, 1980);
  EXPECT_GE(outcome.within_fifty, 1980);
  scenario.noise = Noise::wild;
  EXPECT_GE(bisect_replay::run(scenario).right, 1960);
}

TEST(BisectReplay, FindsAStepAtEitherEnd) {
  for (const int at : {0, 1, 510, 511}) {
    Scenario scenario;
    scenario.at = {at};
    scenario.histories = 500;
    EXPECT_GE(bisect_replay::run(scenario).right, 490) << "at " << at;
  }
}

TEST(BisectReplay, FindsTheStepInShortHistories) {
  for (const int commits : {1, 2, 3, 4, 5}) {
    Scenario scenario;
    scenario.commits = commits;
    scenario.histories = 500;
    const Outcome outcome = bisect_replay::run(scenario);
    EXPECT_GE(outcome.right, 490) << commits << " commits";
    EXPECT_LE(outcome.p95_pairs, 30) << commits << " commits";
  }
}

TEST(BisectReplay, StopsWhereThereIsNoStep) {
  Scenario scenario;
  scenario.steps = {0.0};
  const Outcome outcome = bisect_replay::run(scenario);
  // alpha = 1 % for the comparison of GOOD and BAD, half of it on the side that counts.
  EXPECT_LE(outcome.right + outcome.wrong, 20);
  EXPECT_LE(outcome.p95_pairs, 24);
}

TEST(BisectReplay, LandsOnOneOfTwoSteps) {
  for (const std::vector<double>& steps :
       {std::vector<double>{0.01, 0.01}, {0.006, 0.014}, {0.02, 0.02}, {0.02, -0.02, 0.02}}) {
    Scenario scenario;
    scenario.steps = steps;
    scenario.histories = 1000;
    EXPECT_GE(bisect_replay::run(scenario).right, 950) << steps.front() << " and " << steps.back();
  }
}

TEST(BisectReplay, SkipsCommitsThatDoNotBuild) {
  Scenario scenario;
  scenario.unbuildable = 1.0 / 3;
  const Outcome outcome = bisect_replay::run(scenario);
  EXPECT_GE(outcome.right, 1980);
  EXPECT_GE(outcome.within_fifty, 1960);
}

}  // namespace
}  // namespace perf

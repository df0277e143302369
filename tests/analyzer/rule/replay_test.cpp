#include "tests/analyzer/rule/replay.h"

#include <gtest/gtest.h>

#include <cmath>

#include <string>

// Both promises, replayed: reports whose comparisons all have the same true change, at the edge of
// what is promised. The share of wrong reports must not exceed alpha itself, although 3 sigma of a
// binomial would allow 46 of 3000: Bonferroni leaves that much room. Fixed seeds: a failure is a
// change of the rule, not bad luck.

namespace perf {
namespace {

using replay::Noise;
using replay::Outcome;
using replay::Scenario;

class ErrorRate : public ::testing::TestWithParam<Scenario> {};

TEST_P(ErrorRate, RegressedAtHalfTheThreshold) {
  Scenario scenario = GetParam();
  scenario.change = 0.5;
  const Outcome outcome = replay::run(scenario);
  EXPECT_LE(outcome.reports_with_regressed, scenario.alpha * scenario.reports);
}

TEST_P(ErrorRate, UnchangedAtTheThreshold) {
  Scenario scenario = GetParam();
  scenario.change = 1.0;
  const Outcome outcome = replay::run(scenario);
  EXPECT_LE(outcome.reports_with_unchanged, scenario.alpha * scenario.reports);
}

Scenario scenario_of(Noise noise, double deviation, double threshold, int comparisons) {
  Scenario scenario;
  scenario.noise = noise;
  scenario.deviation = deviation;
  scenario.threshold = threshold;
  scenario.comparisons = comparisons;
  return scenario;
}

std::string name_of(const ::testing::TestParamInfo<Scenario>& scenario) {
  const Scenario& one = scenario.param;
  const char* noise = one.noise == Noise::student3 ? "student"
                      : one.noise == Noise::normal ? "normal"
                                                   : "laplace";
  return std::string(noise) + "_m" + std::to_string(one.comparisons) + "_sd" +
         std::to_string(std::lround(100 * one.deviation)) + "_threshold" +
         std::to_string(std::lround(100 * one.threshold));
}

INSTANTIATE_TEST_SUITE_P(Promise, ErrorRate,
                         ::testing::Values(scenario_of(Noise::student3, 0.02, 0.10, 24),
                                           scenario_of(Noise::normal, 0.02, 0.10, 24),
                                           scenario_of(Noise::laplace, 0.02, 0.10, 24),
                                           scenario_of(Noise::student3, 0.02, 0.10, 1),
                                           scenario_of(Noise::normal, 0.10, 0.10, 1),
                                           scenario_of(Noise::student3, 0.02, 0.02, 24),
                                           scenario_of(Noise::student3, 0.02, 0.10, 50),
                                           scenario_of(Noise::student3, 0.02, 0.02, 50),
                                           scenario_of(Noise::normal, 0.02, 0.02, 50)),
                         name_of);

// The replay can see an error rate: a report that allows itself 60 % makes wrong statements.
TEST(Replay, SeesARuleThatErrs) {
  Scenario scenario = scenario_of(Noise::normal, 0.02, 0.10, 1);
  scenario.alpha = 0.6;
  scenario.change = 1.0;
  EXPECT_GT(replay::run(scenario).reports_with_unchanged, 0.02 * scenario.reports);
}

// What a reader of docs/verdicts.md may expect; tolerances are four standard errors of the shares.
TEST(Power, NoChangeIsProvenAtTheFirstLook) {
  const Outcome outcome = [] {
    Scenario scenario = scenario_of(Noise::student3, 0.02, 0.10, 24);
    scenario.reports = 300;
    return replay::run(scenario);
  }();
  EXPECT_GE(outcome.unchanged, 0.995);
  EXPECT_NEAR(outcome.mean_pairs, 15, 1);
}

TEST(Power, AFifthMoreThanTheThresholdIsFound) {
  Scenario scenario = scenario_of(Noise::student3, 0.02, 0.10, 24);
  scenario.reports = 300;
  scenario.change = 1.2;
  const Outcome outcome = replay::run(scenario);
  EXPECT_GE(outcome.regressed, 0.995);
  EXPECT_NEAR(outcome.mean_pairs, 16, 1);
}

TEST(Power, AtTheThresholdThreeOfFourAreFound) {
  Scenario scenario = scenario_of(Noise::student3, 0.02, 0.10, 24);
  scenario.reports = 300;
  scenario.change = 1.0;
  const Outcome outcome = replay::run(scenario);
  EXPECT_NEAR(outcome.regressed, 0.77, 0.04);
  EXPECT_EQ(outcome.reports_with_improved, 0);
}

}  // namespace
}  // namespace perf

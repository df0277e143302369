// What docs/ratchet.md promises, replayed. Fixed seeds: a failure is a change of the rule.

#include "tests/analyzer/ratchet/ratchet_replay.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

using ratchet_replay::Noise;
using ratchet_replay::Outcome;
using ratchet_replay::Scenario;

Scenario scenario_of(Noise noise, double deviation) {
  Scenario scenario;
  scenario.noise = noise;
  scenario.deviation = deviation;
  return scenario;
}

// 1 % of the loops may accept one; of 40 loops, 3 would show twice that with probability .05.
TEST(RatchetReplay, AcceptsNothingThatIsEqual) {
  for (const Noise noise : {Noise::normal, Noise::student3, Noise::two_modes, Noise::lognormal}) {
    for (const double deviation : {0.01, 0.03}) {
      Scenario scenario = scenario_of(noise, deviation);
      scenario.all_equal = true;
      EXPECT_LE(ratchet_replay::run(scenario).any_false, 1.0 / 40) << to_string(noise);
      scenario.all_equal = false;
      scenario.all_at_bound = true;
      EXPECT_LE(ratchet_replay::run(scenario).any_false, 2.0 / 40) << to_string(noise);
    }
  }
}

TEST(RatchetReplay, KeepsTheGainsOfAQuietMachine) {
  const Outcome outcome = ratchet_replay::run(scenario_of(Noise::normal, 0.01));
  EXPECT_LE(outcome.any_false, 1.0 / 40);
  EXPECT_GE(outcome.kept, 0.98);
  EXPECT_NEAR(outcome.claimed, outcome.truly, 0.02);
  EXPECT_LE(outcome.pairs, 1800);
}

TEST(RatchetReplay, KeepsMostGainsOfANoisyOne) {
  const Outcome outcome = ratchet_replay::run(scenario_of(Noise::normal, 0.03));
  EXPECT_LE(outcome.any_false, 1.0 / 40);
  EXPECT_GE(outcome.kept, 0.7);
  EXPECT_LE(outcome.pairs, 4200);
}

TEST(RatchetReplay, ContainsTheTrueGainWhereItIsMeasuredAnew) {
  for (const Noise noise : {Noise::normal, Noise::student3, Noise::two_modes}) {
    EXPECT_GE(ratchet_replay::run(scenario_of(noise, 0.03)).covered, 0.95) << to_string(noise);
  }
}

// The replay can see a false acceptance: the bets themselves on a gain that is there.
TEST(RatchetReplay, AcceptsRealGains) {
  EXPECT_GT(ratchet_replay::run(scenario_of(Noise::normal, 0.01)).truly, 0.3);
}

}  // namespace
}  // namespace perf

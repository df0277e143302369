#include "tests/analyzer/statistics/session_replay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

// Both promises for sessions that are no pairs, at the edge of what is promised, with independent
// and with correlated sessions. Fixed seeds: a failure is a change of the rule.

namespace perf {
namespace {

using replay::SessionScenario;

class SessionErrorRate : public ::testing::TestWithParam<SessionScenario> {};

TEST_P(SessionErrorRate, RegressedOfNoChangeAndOfHalfTheThreshold) {
  SessionScenario scenario = GetParam();
  for (const double deviation : {0.02, 0.1}) {
    for (const double change : {0.0, 0.5}) {
      scenario.deviation = deviation;
      scenario.change = change;
      EXPECT_LE(replay::run(scenario).reports_with_regressed, scenario.alpha * scenario.reports)
          << "change " << change << " deviation " << deviation;
    }
  }
}

TEST_P(SessionErrorRate, UnchangedAtTheThreshold) {
  SessionScenario scenario = GetParam();
  scenario.change = 1;
  for (const double deviation : {0.005, 0.03}) {
    scenario.deviation = deviation;
    EXPECT_LE(replay::run(scenario).reports_with_unchanged, scenario.alpha * scenario.reports)
        << deviation;
  }
}

SessionScenario scenario_of(int sessions, double correlation, bool heavy_tails, int comparisons) {
  SessionScenario scenario;
  scenario.sessions = sessions;
  scenario.correlation = correlation;
  scenario.heavy_tails = heavy_tails;
  scenario.comparisons = comparisons;
  return scenario;
}

std::string name_of(const ::testing::TestParamInfo<SessionScenario>& scenario) {
  const SessionScenario& one = scenario.param;
  return "sessions" + std::to_string(one.sessions) + "_correlation" +
         std::to_string(std::lround(10 * one.correlation)) +
         (one.heavy_tails ? "_student" : "_normal") + "_m" + std::to_string(one.comparisons);
}

INSTANTIATE_TEST_SUITE_P(
    Promise, SessionErrorRate,
    ::testing::Values(scenario_of(8, 0, false, 1), scenario_of(8, 0, true, 1),
                      scenario_of(8, 0.3, false, 1), scenario_of(8, 0.5, false, 1),
                      scenario_of(8, 0.5, true, 1), scenario_of(8, 0.7, false, 1),
                      scenario_of(8, 0, false, 24), scenario_of(8, 0.3, true, 24),
                      scenario_of(8, 0.5, false, 24), scenario_of(20, 0.5, false, 1),
                      scenario_of(20, 0.7, true, 1), scenario_of(20, 0.5, false, 24)),
    name_of);

// The replay can see an error rate, and the noise does matter.
TEST(SessionReplay, DetectsAWrongRule) {
  SessionScenario scenario = scenario_of(8, 0.9, false, 1);
  scenario.alpha = 0.6;
  scenario.change = 1;
  EXPECT_GT(replay::run(scenario).reports_with_unchanged, 0.02 * scenario.reports);
}

TEST(SessionPower, ClearCasesAreSettled) {
  SessionScenario scenario = scenario_of(12, 0, false, 1);
  scenario.reports = 1000;
  scenario.deviation = 0.01;
  EXPECT_GT(replay::run(scenario).unchanged, 0.9);
  scenario.change = 1.5;
  EXPECT_GT(replay::run(scenario).regressed, 0.9);
}

}  // namespace
}  // namespace perf

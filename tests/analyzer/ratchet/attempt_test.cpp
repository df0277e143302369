#include "analyzer/ratchet/attempt.h"

#include <gtest/gtest.h>

#include "analyzer/ratchet/ratchet.h"
#include "schema/policy.h"

namespace perf {
namespace {

const Bounds kBounds = bounds_for(0.01, Policy{});
const std::vector<double> kQuiet(20, 0.001);  // residuals

/// Gains about a centre, at both ends of a range in turn.
std::vector<double> gains_about(double gain, double range, int pairs) {
  std::vector<double> gains;
  for (int i = 0; i < pairs; ++i) {
    gains.push_back(gain + (i % 2 == 0 ? range / 2 : -range / 2));
  }
  return gains;
}

TEST(AttemptLevel, AddsUpToAlpha) {
  double sum = 0;
  for (int i = 1; i <= 1'000'000; ++i) {
    sum += attempt_level(0.01, i);
  }
  EXPECT_LT(sum, 0.01);
  EXPECT_NEAR(sum, 0.01, 1e-5);
  EXPECT_NEAR(attempt_level(0.01, 1), 0.01 / 2.612375, 1e-8);
}

TEST(Attempt, ProvesAGainByBets) {
  const std::vector<double> noisy(20, 0.01);
  const auto standing =
      attempt_standing(gains_about(0.03, 0.04, 40), noisy, attempt_level(0.01, 1), kBounds);
  EXPECT_EQ(standing.answer, AttemptAnswer::proven);
  EXPECT_GE(standing.evidence.evidence, 1 / (0.8 * attempt_level(0.01, 1)));
  EXPECT_NEAR(standing.evidence.estimate, 0.03, 0.004);
}

// 2 x 4^-6 + 1.5 x 3^-9 is the first below a fifth of the first level.
TEST(Attempt, ProvesAGainByTheRangeOfItsPairs) {
  const auto standing =
      attempt_standing(gains_about(0.03, 0.004, 40), kQuiet, attempt_level(0.01, 1), kBounds);
  EXPECT_EQ(standing.answer, AttemptAnswer::proven);
  EXPECT_EQ(standing.evidence.pairs, 6);
}

// The mean of equal gains is off by rounding, for some numbers of pairs.
TEST(Attempt, ProvesAGainThatIsTheSameInEachPair) {
  for (const double gain : {0.02, 0.03, 0.05, 0.1, 0.2}) {
    const auto standing =
        attempt_standing(std::vector<double>(40, gain), kQuiet, attempt_level(0.01, 1), kBounds);
    EXPECT_EQ(standing.answer, AttemptAnswer::proven) << gain;
    EXPECT_EQ(standing.evidence.pairs, 6) << gain;
  }
}

TEST(Attempt, NeedsMorePairsTheMoreWereTried) {
  const auto pairs = [](int index) {
    return attempt_standing(gains_about(0.02, 0.02, 150), {}, attempt_level(0.01, index), kBounds)
        .evidence.pairs;
  };
  EXPECT_LT(pairs(1), pairs(100));
  EXPECT_LT(pairs(100), pairs(10'000));
}

TEST(Attempt, RefusesWhatIsNoBetterAfterTwoPairs) {
  for (const double gain : {0.0, -0.05}) {
    const auto standing = attempt_standing(gains_about(gain, 0.001, 40), kQuiet, 0.001, kBounds);
    EXPECT_EQ(standing.answer, AttemptAnswer::refused);
    EXPECT_EQ(standing.evidence.pairs, 2);
  }
}

TEST(Attempt, ProvesNothingBelowAtLeast) {
  const auto standing = attempt_standing(gains_about(0.009, 0.001, 150), kQuiet, 0.003, kBounds);
  EXPECT_NE(standing.answer, AttemptAnswer::proven);
}

// A machine that becomes faster while it runs: the pairs are in order.
TEST(Attempt, ProvesNothingOfPairsInOrder) {
  std::vector<double> gains;
  for (int i = 0; i < 40; ++i) {
    gains.push_back(0.02 + 0.002 * i);
  }
  EXPECT_EQ(attempt_standing(gains, kQuiet, 0.003, kBounds).answer, AttemptAnswer::open);
}

TEST(Attempt, EndsAt150Pairs) {
  std::vector<double> gains = gains_about(0.011, 0.5, 200);
  const auto standing = attempt_standing(gains, std::vector<double>(20, 0.25), 1e-9, kBounds);
  EXPECT_EQ(standing.answer, AttemptAnswer::not_proven);
  EXPECT_EQ(standing.evidence.pairs, 150);
}

TEST(Attempt, IsOpenWithoutPairs) {
  EXPECT_EQ(attempt_standing({}, {}, 0.01, kBounds).answer, AttemptAnswer::open);
  EXPECT_EQ(attempt_standing({}, {}, 0.01, kBounds).evidence.pairs, 0);
}

TEST(Bets, PayWhatThePairsAreWorth) {
  // One pair far above the bound: each capital grows by its bet; their mean is .45833.
  EXPECT_NEAR(bet_on(std::vector{1.0}, 0, kQuiet, 0.01).evidence, 1 + 2.75 / 6, 1e-12);
  EXPECT_NEAR(bet_on(std::vector{-1.0}, 0, kQuiet, 0.01).evidence, 1 - 2.75 / 6, 1e-12);
  EXPECT_NEAR(bet_on(std::vector{0.0}, 0, kQuiet, 0.01).evidence, 1, 1e-12);
}

TEST(Bets, TakeTheirNoiseFromEarlierPairsAlone) {
  EXPECT_NEAR(bet_on(std::vector{1.0}, 0, kQuiet, 0.01).noise, 1.4826 * 0.001, 1e-5);
  EXPECT_EQ(bet_on(gains_about(0, 2, 4), 0, {}, 0.01).noise, 0.01);
  EXPECT_NEAR(bet_on(gains_about(0, 2, 5), 0, {}, 0.01).noise, 1.4826, 1e-3);
}

TEST(Residuals, AreDistancesFromTheOthers) {
  EXPECT_TRUE(residuals_of(std::vector{1.0, 2.0, 3.0}).empty());
  EXPECT_EQ(residuals_of(std::vector{0.0, 0.0, 0.0, 5.0}), (std::vector{0.0, 0.0, 0.0, 5.0}));
}

TEST(Guard, NeedsProofThatNothingIsWorse) {
  const Bounds tenth = bounds_for(0.10, Policy{});
  EXPECT_EQ(guard_standing(gains_about(0, 0.01, 12), kQuiet, 0.003, tenth), GuardStanding::passes);
  EXPECT_EQ(guard_standing(gains_about(0, 0.01, 3), kQuiet, 0.003, tenth), GuardStanding::open);
  EXPECT_EQ(guard_standing(gains_about(-0.11, 0.01, 40), kQuiet, 0.003, tenth),
            GuardStanding::worse);
  EXPECT_EQ(guard_standing(gains_about(-0.094, 0.01, 7), kQuiet, 0.003, tenth), GuardStanding::open)
      << "close to the threshold";
}

RatchetRun ended_attempt(const std::string& head, const std::vector<double>& gains) {
  RatchetRun run;
  run.head.oid = head;
  run.end = RatchetEnd{};
  run.end->gains = gains;
  run.end->guarded = {{"w", "peak_rss", gains, 0, 0.1, true}};
  return run;
}

// Bets of the candidate's own pairs would know them, and change when it is resumed.
TEST(RatchetNoise, IsOfTheAttemptsBeforeTheCandidatesFirst) {
  const std::vector<double> gains{0.01, 0.02, 0.03, 0.04};
  std::vector<RatchetRun> ledger{ended_attempt("a", gains), ended_attempt("b", gains),
                                 ended_attempt("a", gains)};
  RatchetRun candidate;
  candidate.head.oid = "b";
  EXPECT_EQ(noise_of(ledger, candidate).goal.size(), 4U);
  EXPECT_EQ(noise_of(ledger, candidate).guarded.begin()->second.size(), 4U);
  candidate.head.oid = "c";
  EXPECT_EQ(noise_of(ledger, candidate).goal.size(), 12U);
  candidate.head_program = ledger[1].head_program = "one program";
  EXPECT_EQ(noise_of(ledger, candidate).goal.size(), 4U);
  candidate.fingerprint = "another machine";
  EXPECT_TRUE(noise_of(ledger, candidate).goal.empty());
}

}  // namespace
}  // namespace perf

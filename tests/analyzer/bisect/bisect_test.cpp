#include "analyzer/bisect/bisect.h"

#include <gtest/gtest.h>

#include "analyzer/rule/look_schedule.h"

namespace perf {
namespace {

Rule rule_at(double threshold) {
  const Policy policy;
  Rule rule;
  rule.bounds = bounds_for(threshold, policy);
  rule.look_alpha = look_alpha(policy, 1);
  rule.looks = look_schedule(policy, 1);
  return rule;
}

/// `count` differences around `centre`, evenly spread over +- `spread`.
std::vector<double> around(double centre, double spread, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(centre + spread * (2.0 * i / std::max(count - 1, 1) - 1));
  }
  return values;
}

BisectEvidence line_of(std::size_t commits, double step) {
  BisectEvidence evidence;
  evidence.commits.resize(commits);
  evidence.commits.back().differences = around(step, 0.005, 11);
  return evidence;
}

BisectStanding standing_of(const BisectEvidence& evidence) {
  return bisect_standing(evidence, rule_at(0.01));
}

/// Nothing is left to measure: the step lies between these commits, for certain.
void expect_found(const BisectStanding& standing, int last_good, int first_bad) {
  EXPECT_FALSE(standing.commit);
  EXPECT_TRUE(standing.search->found);
  EXPECT_TRUE(standing.search->certain);
  EXPECT_EQ(standing.search->last_good, last_good);
  EXPECT_EQ(standing.search->first_bad, first_bad);
}

TEST(BisectEnds, CallWorseAtTheFirstLook) {
  const Rule rule = rule_at(0.01);
  EXPECT_EQ(compare_ends({}, rule).wanted, 11);
  EXPECT_EQ(compare_ends(around(0.02, 0.005, 10), rule).wanted, 1);
  const BisectEnds ends = compare_ends(around(0.02, 0.005, 11), rule);
  EXPECT_EQ(ends.answer, BisectEnds::Answer::worse);
  EXPECT_EQ(ends.pairs, 11);
  EXPECT_NEAR(ends.shift->estimate, 0.02, 1e-12);
  EXPECT_GT(ends.noise, 0.002);
  EXPECT_LT(ends.noise, 0.006);
}

TEST(BisectEnds, KeepTheLookThatDecided) {
  std::vector<double> differences = around(0.02, 0.005, 11);
  const std::vector<double> later = around(-0.5, 0.1, 20);
  differences.insert(differences.end(), later.begin(), later.end());
  const BisectEnds ends = compare_ends(differences, rule_at(0.01));
  EXPECT_EQ(ends.answer, BisectEnds::Answer::worse);
  EXPECT_EQ(ends.pairs, 11);
}

TEST(BisectEnds, CallEqualAndBetterNotWorse) {
  EXPECT_EQ(compare_ends(around(0, 0.005, 11), rule_at(0.01)).answer,
            BisectEnds::Answer::not_worse);
  EXPECT_EQ(compare_ends(around(-0.2, 0.005, 11), rule_at(0.01)).answer,
            BisectEnds::Answer::not_worse);
}

/// Worse beyond doubt, but by less than anybody searches for.
TEST(BisectEnds, UseTheSmallestStepAsThreshold) {
  const std::vector<double> small_step = around(0.03, 0.005, 11);
  EXPECT_EQ(compare_ends(small_step, rule_at(0.10)).answer, BisectEnds::Answer::not_worse);
  EXPECT_EQ(compare_ends(small_step, rule_at(0.03)).answer, BisectEnds::Answer::worse);
}

/// Of memory: what the kernel tells only in larger pieces.
TEST(BisectEnds, FindNoStepBelowTheResolution) {
  const Rule rule = rule_at(0.01);
  EXPECT_EQ(compare_ends(around(0.03, 0.005, 11), rule, 0.1).answer, BisectEnds::Answer::not_worse);
  const std::vector<double> beyond_at_its_end = around(0.08, 0.05, 11);
  EXPECT_EQ(compare_ends(beyond_at_its_end, rule).answer, BisectEnds::Answer::worse);
  EXPECT_EQ(compare_ends(beyond_at_its_end, rule, 0.1).answer, BisectEnds::Answer::open);
  EXPECT_EQ(compare_ends(around(0.12, 0.05, 11), rule, 0.1).answer, BisectEnds::Answer::worse);
  BisectEvidence evidence = line_of(4, 0.03);
  evidence.resolution = 0.1;
  EXPECT_FALSE(bisect_standing(evidence, rule).commit);
}

TEST(BisectEnds, StayUndecidedOnlyAtTheLastLook) {
  std::vector<double> noisy;
  for (int i = 0; i < 74; ++i) {
    noisy.push_back((i % 2 == 0 ? 1 : -1) * (0.2 + 0.6 * i / 74));
  }
  EXPECT_EQ(compare_ends(std::span(noisy).first(73), rule_at(0.01)).answer,
            BisectEnds::Answer::open);
  EXPECT_EQ(compare_ends(noisy, rule_at(0.01)).answer, BisectEnds::Answer::undecided);
}

TEST(BisectEnds, DecideAtTheLooksOnly) {
  std::vector<double> differences = around(0.02, 0.005, 13);
  std::swap(differences.front(), differences.back());
  differences.front() = -0.001;  // the first look is not sure
  const BisectEnds open = compare_ends(differences, rule_at(0.01));
  EXPECT_EQ(open.answer, BisectEnds::Answer::open);
  EXPECT_EQ(open.pairs, 11);
  EXPECT_EQ(open.wanted, 3);
}

TEST(BisectSearch, BeginsInTheMiddleWithOnePair) {
  const BisectStanding standing = standing_of(line_of(64, 0.05));
  EXPECT_EQ(standing.commit, 31U);
  EXPECT_EQ(standing.pairs, 1);
  EXPECT_EQ(standing.search->bad.back(), 1);
  EXPECT_NEAR(standing.search->bad[31], 0.5, 1e-12);
}

TEST(BisectSearch, EndsAtOnceWithOneCommit) {
  expect_found(standing_of(line_of(1, 0.05)), -1, 0);
}

TEST(BisectSearch, StaysAtACommitUntilItIsSettled) {
  BisectEvidence evidence = line_of(64, 0.02);
  evidence.commits[31].differences = {0.010};  // says nothing
  evidence.current = 31;
  EXPECT_EQ(standing_of(evidence).commit, 31U);
  evidence.commits[31].differences = {0.021, 0.019, 0.02};
  const BisectStanding settled = standing_of(evidence);
  EXPECT_LT(*settled.commit, 31U);
  EXPECT_GT(settled.search->bad[31], 0.95);
}

TEST(BisectSearch, OneWildPairDoesNotDecide) {
  BisectEvidence evidence = line_of(64, 0.02);
  evidence.commits[31].differences = {0, 0.001, -0.001, 0.4};
  evidence.current = 31;
  EXPECT_LT(standing_of(evidence).search->bad[31], 0.1);
}

TEST(BisectSearch, MeasuresTheNeighboursTwice) {
  BisectEvidence evidence = line_of(3, 0.05);
  evidence.commits[0].differences = {0.0};
  evidence.commits[1].differences = {0.05};
  ASSERT_TRUE(standing_of(evidence).commit);
  evidence.commits[0].differences = {0.0, 0.001};
  evidence.commits[1].differences = {0.05, 0.051};
  expect_found(standing_of(evidence), 0, 1);
}

TEST(BisectSearch, LeavesSkippedNeighboursUndecided) {
  BisectEvidence evidence = line_of(5, 0.05);
  evidence.commits[0].differences = {0.0, 0.001, -0.001};
  for (const std::size_t commit : {1, 2, 3}) {
    evidence.commits[commit].skipped = true;
  }
  expect_found(standing_of(evidence), 0, 4);
}

TEST(BisectSearch, MeasuresTheNeighbourOfASkippedCommit) {
  BisectEvidence evidence = line_of(64, 0.05);
  evidence.commits[31].skipped = true;
  const BisectStanding standing = standing_of(evidence);
  EXPECT_TRUE(standing.commit == 30U || standing.commit == 32U) << *standing.commit;
}

/// A plateau half way up: the search keeps to one side of it and finds the step of that side.
TEST(BisectSearch, TakesTheLargerSideOfAPlateau) {
  BisectEvidence evidence = line_of(9, 0.04);
  for (const std::size_t commit : {3, 4, 5}) {
    evidence.commits[commit].differences = around(0.025, 0.001, 8);
  }
  evidence.commits[2].differences = around(0, 0.001, 4);
  expect_found(standing_of(evidence), 2, 3);
}

/// Commits that stay half way whatever is measured must not be measured for ever.
TEST(BisectSearch, GivesUpWhereNoNumberOfPairsDecides) {
  BisectEvidence evidence = line_of(64, 0.01);
  evidence.commits.back().differences = around(0.01, 0.012, 74);
  for (int pairs = 0; pairs < 5000; ++pairs) {
    const BisectStanding standing = standing_of(evidence);
    if (!standing.commit) {
      SUCCEED();
      return;
    }
    std::vector<double>& differences = evidence.commits[*standing.commit].differences;
    differences.push_back(standing.ends.shift->estimate / 2 +
                          (differences.size() % 2 == 0 ? 0.02 : -0.02));
    evidence.current = standing.commit;
  }
  FAIL() << "still measuring after 5000 pairs";
}

TEST(BisectSearch, EndsAreComparedAtHalfTheLowerBound) {
  BisectEnds ends;
  ends.shift = Shift{0.05, 0.04, 0.06, 0};
  EXPECT_NEAR(last_threshold(ends), 0.02, 1e-12);
  ends.shift = Shift{0.05, 0.001, 0.06, 0};
  EXPECT_NEAR(last_threshold(ends), 0.012, 1e-12);
}

TEST(BisectSeries, AcceptsTheNameOfTheWorkload) {
  EXPECT_TRUE(is_followed("suite/a", ""));
  EXPECT_TRUE(is_followed("suite/a", "suite/a"));
  EXPECT_TRUE(is_followed("suite/a", "suite/*"));
  EXPECT_FALSE(is_followed("suite/b", "suite/a"));
  EXPECT_TRUE(is_followed("suite", "suite/a")) << "a commit that has no other";
  EXPECT_TRUE(is_followed("suite/a", "suite"));
}

TEST(BisectLevel, ComputesTheErrorFromItsPairs) {
  EXPECT_FALSE(level_of({}, 0.01));
  const Shift one = *level_of({{0.02}, false}, 0.01);
  const Shift four = *level_of({{0.02, 0.02, 0.02, 0.02}, false}, 0.01);
  EXPECT_NEAR(one.high - one.estimate, 2 * (four.high - four.estimate), 1e-12);
}

// ---- commits that run one program

TEST(BisectPrograms, GoodAndBadOfOneProgramAreNotMeasured) {
  BisectEvidence evidence = line_of(64, 0.05);
  evidence.commits.back().same_as = -1;
  const BisectStanding standing = standing_of(evidence);
  EXPECT_EQ(standing.ends.answer, BisectEnds::Answer::same);
  EXPECT_FALSE(standing.commit);
  EXPECT_FALSE(standing.search);
}

TEST(BisectPrograms, TheStepLiesBetweenGoodsProgramAndBads) {
  BisectEvidence evidence = line_of(64, 0.05);
  evidence.commits[31].same_as = -1;
  evidence.commits[47].same_as = 63;
  BisectStanding standing = standing_of(evidence);
  EXPECT_EQ(standing.search->bad[31], 0);
  EXPECT_EQ(standing.search->bad[47], 1);
  EXPECT_GT(*standing.commit, 31U);
  EXPECT_LT(*standing.commit, 47U);
  // Neighbours: nothing has to be measured.
  evidence.commits[38].same_as = -1;
  evidence.commits[39].same_as = 63;
  standing = standing_of(evidence);
  expect_found(standing, 38, 39);
}

TEST(BisectPrograms, SearchAfterTheLastGoodProgram) {
  BisectEvidence evidence = line_of(64, 0.05);
  evidence.commits[10].same_as = 63;
  evidence.commits[20].same_as = -1;
  evidence.commits[40].same_as = 63;
  const BisectStanding standing = standing_of(evidence);
  EXPECT_GT(*standing.commit, 20U);
  EXPECT_LT(*standing.commit, 40U);
}

TEST(BisectPrograms, NoStepLiesBetweenTwoOfOneProgram) {
  BisectEvidence evidence = line_of(64, 0.05);
  evidence.commits[20].differences = {0.024};  // says nothing
  evidence.commits[40].same_as = 20;
  const BisectStanding standing = standing_of(evidence);
  EXPECT_DOUBLE_EQ(standing.search->bad[20], standing.search->bad[40]);
  EXPECT_DOUBLE_EQ(standing.search->bad[30], standing.search->bad[20]);
  EXPECT_NE(*standing.commit, 40U) << "the one that stands for it is measured";
  EXPECT_NE(*standing.commit, 30U);
}

TEST(BisectPrograms, MeasureARepresentativeCommit) {
  // All is known but one commit and one that runs its program.
  BisectEvidence evidence = line_of(5, 0.05);
  evidence.commits[0].same_as = -1;
  evidence.commits[1].differences = {0.024};
  evidence.commits[2].same_as = 1;
  evidence.commits[3].same_as = 4;
  BisectStanding standing = standing_of(evidence);
  EXPECT_EQ(standing.commit, 1U);
  evidence.commits[1].differences = around(0.05, 0.004, 6);
  standing = standing_of(evidence);
  EXPECT_TRUE(standing.search->found);
  EXPECT_EQ(standing.search->first_bad, 1);
  evidence.commits[1].differences = around(0, 0.004, 6);
  standing = standing_of(evidence);
  EXPECT_TRUE(standing.search->found);
  EXPECT_EQ(standing.search->last_good, 2);
  EXPECT_EQ(standing.search->first_bad, 3);
}

TEST(BisectPrograms, SurviveContradictions) {
  // a x a x: each is measured, and the programs leave no place for a single step.
  BisectEvidence evidence = line_of(6, 0.05);
  evidence.commits[1].differences = around(0.05, 0.004, 4);
  evidence.commits[2].differences = around(0, 0.004, 4);
  evidence.commits[3].same_as = 1;
  evidence.commits[4].same_as = 2;
  for (int i = 0; i < 500; ++i) {
    const BisectStanding standing = standing_of(evidence);
    if (!standing.commit) {
      EXPECT_TRUE(standing.search->found);
      return;
    }
    const std::size_t at = *standing.commit;
    ASSERT_FALSE(evidence.commits[at].same_as) << at;
    evidence.commits[at].differences.push_back(at == 1 ? 0.05 : at == 0 ? 0.001 : 0);
    evidence.current = at;
  }
  ADD_FAILURE() << "it does not end";
}

}  // namespace
}  // namespace perf

#include "analyzer/judge/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reporter/text/sentences.h"
#include "schema/error.h"

namespace perf {
namespace {

JudgeCase case_of(int pairs, double ratio, double threshold, double noise = 0.004) {
  JudgeCase one;
  one.name = "case";
  one.threshold = threshold;
  for (int pair = 0; pair < pairs; ++pair) {
    const double head = ratio * (1 + noise * std::sin(1.0 + 2.3 * pair));
    one.base.push_back({0.99, 1.0, 5.0});  // a median, not a mean
    one.head.push_back({head * 0.99, head, head * 1.01});
  }
  return one;
}

Comparison judge_one(const JudgeCase& one, const Policy& policy = {}) {
  return judge({one}, policy, false).front();
}

// The number of pairs was fixed beforehand.
Policy one_look() {
  Policy policy;
  policy.looks = 1;
  return policy;
}

TEST(Judge, GivesEachVerdict) {
  EXPECT_EQ(judge_one(case_of(11, 1.10, 0.05)).verdict, Verdict::regressed);
  EXPECT_EQ(judge_one(case_of(11, 0.90, 0.05)).verdict, Verdict::improved);
  EXPECT_EQ(judge_one(case_of(11, 1.01, 0.05)).verdict, Verdict::unchanged);
  EXPECT_EQ(judge_one(case_of(20, 1.04, 0.05, 0.4)).verdict, Verdict::inconclusive);
}

TEST(Judge, DescribesBothSidesBehindTheVerdict) {
  const Comparison row = judge_one(case_of(20, 1.10, 0.05));
  EXPECT_EQ(row.workload, "case");
  EXPECT_EQ(row.pairs, 6);
  EXPECT_EQ(row.look, 1);
  EXPECT_EQ(row.base->invocations, 6);
  EXPECT_EQ(row.base->steps, 18);
  EXPECT_EQ(row.base->median, 1.0);
  EXPECT_NEAR(*row.change, 0.10, 0.005);
}

TEST(Judge, GivesNoVerdictBelowTheFirstLook) {
  for (const int looks : {1, 6}) {
    Policy policy;
    policy.looks = looks;
    const int few = looks == 1 ? 4 : 3;
    const Comparison row = judge_one(case_of(few, 2.0, 0.05), policy);
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_FALSE(row.interval);
    EXPECT_NEAR(*row.change, 1.0, 0.01);
    EXPECT_EQ(row.pairs, few);
    EXPECT_EQ(row.pairs_needed, few + 1);
    EXPECT_FALSE(row.warnings.empty());
  }
}

TEST(Judge, DecidesByFewPairsThatAgree) {
  const Policy once = one_look();
  EXPECT_EQ(judge_one(case_of(5, 1.10, 0.05), once).verdict, Verdict::regressed);
  EXPECT_EQ(judge_one(case_of(5, 1.00, 0.05), once).verdict, Verdict::unchanged);
  EXPECT_EQ(judge_one(case_of(5, 1.00, 0.05, 0.02), once).verdict, Verdict::inconclusive);
  EXPECT_EQ(judge_one(case_of(24, 1.10, 0.05)).pairs, 6) << "six looks";
}

TEST(Judge, WarnsOfFewPairsThatMayBeCorrelated) {
  Policy once;
  once.looks = 1;
  JudgeCase one = case_of(12, 1.10, 0.05);
  EXPECT_TRUE(judge_one(one, once).warnings.empty());
  std::ranges::sort(one.head);
  Comparison row = judge_one(one, once);
  ASSERT_EQ(row.verdict, Verdict::regressed);
  ASSERT_EQ(row.warnings.size(), 1U);
  EXPECT_EQ(row.warnings[0].kind, WarningKind::pairs_may_be_correlated);
  EXPECT_EQ(reporter::sentence(row.warnings[0]),
            "the pairs may be correlated: 12 are too few to check, measure 32");
  EXPECT_TRUE(judge_one(one).warnings.empty()) << "six looks go by the order of all";
}

TEST(Judge, SharesTheErrorRateBetweenCases) {
  std::vector<JudgeCase> cases(50, case_of(15, 1.10, 0.05));
  EXPECT_EQ(judge(cases, one_look(), false).front().look_alpha, 0.01);
  EXPECT_EQ(judge(cases, one_look(), true).front().look_alpha, 0.01 / 50);
}

TEST(Judge, LastLookIsTakenAtThePairsSupplied) {
  EXPECT_EQ(judge_one(case_of(20, 1.04, 0.05, 0.4)).pairs, 20);
  EXPECT_EQ(judge_one(case_of(73, 1.04, 0.05, 0.4)).pairs, 73);
}

TEST(Judge, IgnoresPairsBeyondTheSixthLook) {
  for (const int pairs : {74, 75, 300}) {
    const Comparison row = judge_one(case_of(pairs, 1.04, 0.05, 0.4));
    ASSERT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_EQ(row.pairs, 74) << pairs;
    EXPECT_EQ(row.look, 6) << pairs;
    EXPECT_EQ(row.base->invocations, 74);
  }
  Policy policy;
  policy.max_pairs = 200;
  EXPECT_EQ(judge_one(case_of(300, 1.04, 0.05, 0.4), policy).pairs, 74);
}

TEST(Judge, OneLookIsTakenAtAllPairs) {
  for (const int pairs : {8, 24, 300}) {
    const Comparison row = judge_one(case_of(pairs, 1.10, 0.05), one_look());
    EXPECT_EQ(row.verdict, Verdict::regressed);
    EXPECT_EQ(row.pairs, pairs);
    EXPECT_EQ(row.look, 1);
    EXPECT_EQ(row.look_alpha, 0.01);
  }
}

TEST(Judge, LimitsThePairsOfOneLookByThePolicy) {
  Policy policy = one_look();
  policy.min_pairs = 30;
  EXPECT_FALSE(judge_one(case_of(24, 1.10, 0.05), policy).interval);
  policy.min_pairs = 0;
  policy.max_pairs = 13;
  EXPECT_EQ(judge_one(case_of(24, 1.10, 0.05), policy).pairs, 13);
}

TEST(Judge, CountsOnePairInTheSingular) {
  EXPECT_EQ(reporter::sentences(judge_one(case_of(1, 1.0, 0.05)).warnings),
            std::vector<std::string>{"only 1 pair: a verdict needs 4"});
}

TEST(Judge, LimitsThePairsByThePolicy) {
  Policy policy;
  policy.max_pairs = 13;
  EXPECT_EQ(judge_one(case_of(40, 1.04, 0.05, 0.4), policy).pairs, 13);
  policy.max_pairs = 3;
  EXPECT_THROW(judge_one(case_of(40, 1.04, 0.05), policy), UsageError);
}

TEST(Judge, CommandLineThresholdBeatsTheCase) {
  Policy policy;
  policy.threshold = 0.30;
  EXPECT_EQ(judge_one(case_of(11, 1.10, 0.05), policy).verdict, Verdict::regressed);
  policy.threshold_override = true;
  EXPECT_EQ(judge_one(case_of(11, 1.10, 0.05), policy).verdict, Verdict::unchanged);
}

TEST(Judge, AllEqualSamplesAreUnchanged) {
  JudgeCase one;
  one.name = "equal";
  one.base.assign(11, {1.0});
  one.head = one.base;
  const Comparison row = judge_one(one);
  EXPECT_EQ(row.verdict, Verdict::unchanged);
  EXPECT_EQ(row.change, 0.0);
  EXPECT_EQ(row.p_value, 1.0);
}

TEST(Judge, AppliesTheRuleToZeros) {
  JudgeCase one;
  one.base.assign(11, {0.0});
  one.head.assign(11, {1.0});
  EXPECT_EQ(judge_one(one).verdict, Verdict::regressed);
  EXPECT_FALSE(judge_one(one).change);
  std::swap(one.base, one.head);
  EXPECT_EQ(judge_one(one).verdict, Verdict::improved);
  EXPECT_EQ(judge_one(one).change, -1.0);
}

TEST(Judge, SurvivesInvalidInput) {
  JudgeCase one = case_of(11, 1, 0.05);
  one.head[3] = {};
  EXPECT_EQ(judge_one(one).verdict, Verdict::incomparable);
  one.head[3] = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(judge_one(one).verdict, Verdict::incomparable);
  one.head.clear();
  EXPECT_EQ(judge_one(one).verdict, Verdict::inconclusive);
  EXPECT_TRUE(judge({}, Policy{}, true).empty());
}

}  // namespace
}  // namespace perf

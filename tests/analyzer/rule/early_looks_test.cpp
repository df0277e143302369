#include "analyzer/rule/early_looks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/rule/look_schedule.h"
#include "reporter/text/sentences.h"
#include "schema/error.h"

namespace perf {
namespace {

Looks dear(int judged, const Policy& policy = {}) {
  return looks_of_dear(policy, judged, false);
}

Rule rule_of(const Looks& looks, Better better = Better::lower) {
  const Policy policy;
  Rule rule;
  rule.bounds = bounds_for(0.10, policy);
  rule.better = better;
  rule.most_looks = policy.looks;
  rule.take(looks);
  return rule;
}

/// Pairs about a change, at both ends of a range in turn.
std::vector<double> pairs_about(double change, double range, int pairs) {
  std::vector<double> differences;
  for (int i = 0; i < pairs; ++i) {
    differences.push_back(std::log1p(change) + (i % 2 == 0 ? range / 2 : -range / 2));
  }
  return differences;
}

TEST(EarlyLooks, BeginWhereTheirErrorsFit) {
  struct Numbers {
    int judged, first, plain, end, plain_if_short;
  };
  for (const Numbers& one :
       {Numbers{1, 4, 6, 11, 5}, Numbers{4, 4, 7, 13, 6}, Numbers{16, 5, 8, 15, 7},
        Numbers{24, 6, 9, 15, 8}, Numbers{65, 6, 9, 17, 8}, Numbers{100, 7, 10, 17, 9}}) {
    const Looks looks = dear(one.judged);
    EXPECT_EQ(looks.early.first, one.first) << one.judged;
    EXPECT_EQ(looks.early.plain, one.plain) << one.judged;
    EXPECT_EQ(looks.early.end, one.end) << one.judged;
    EXPECT_EQ(looks_of_dear({}, one.judged, true).early.plain, one.plain_if_short) << one.judged;
    EXPECT_EQ(looks.pairs.front(), one.first) << one.judged;
    EXPECT_EQ(looks.pairs.size(), static_cast<std::size_t>(one.end - one.first + 6)) << one.judged;
  }
}

// Sum of what each look may spend: no more than alpha.
TEST(EarlyLooks, LeaveTheRestOfAlpha) {
  const Policy policy;
  for (int judged = 1; judged <= 300; ++judged) {
    for (const bool ends_early : {false, true}) {
      const Looks looks = looks_of_dear(policy, judged, ends_early);
      const int plain = looks.early.plain;
      const double early = judged * (std::pow(4, 1 - plain) + std::pow(3, -2 - plain));
      EXPECT_LE(judged * std::pow(4, 1 - plain), policy.alpha * (ends_early ? 0.5 : 0.1));
      EXPECT_NEAR(early + judged * policy.looks * looks.alpha, policy.alpha * 0.995, 1e-15)
          << judged;
      EXPECT_LE(looks.early.end, first_possible_look(policy, judged) + (ends_early ? 2 : 1));
    }
  }
}

TEST(EarlyLooks, AreNoneWhereTheyWouldLeaveLittle) {
  Policy policy;
  policy.alpha = 1e-12;
  const Looks looks = dear(1000, policy);
  EXPECT_EQ(looks.early.first, 0);
  EXPECT_EQ(looks.pairs, look_schedule(policy, 1000));
}

TEST(EarlyLooks, HeedTheWantedNumbersOfPairs) {
  Policy policy;
  policy.min_pairs = 9;
  EXPECT_EQ(dear(1, policy).pairs, (std::vector{9, 10, 11, 16, 24, 35, 51, 74}));
  EXPECT_EQ(dear(1, policy).early.plain, 9);
  policy.min_pairs = 20;
  EXPECT_EQ(dear(1, policy).pairs, look_schedule(policy, 1));
  policy.min_pairs = 0;
  policy.max_pairs = 6;  // ends before the first ordinary look
  EXPECT_EQ(dear(1, policy).pairs, (std::vector{4, 5, 6}));
  EXPECT_EQ(dear(1, policy).early.plain, 5);
  EXPECT_EQ(dear(1, policy).early.end, 12) << "what an ordinary look would take";
  policy.max_pairs = 3;
  EXPECT_TRUE(dear(1, policy).pairs.empty());
  EXPECT_THROW(require_any_look(policy, 1), UsageError);
  policy.max_pairs = 4;
  EXPECT_NO_THROW(require_any_look(policy, 1));
}

TEST(EarlyLooks, GiveFewPairsAllOfAlpha) {
  EXPECT_TRUE(look_at_few({}, 1, 4).pairs.empty());
  EXPECT_EQ(look_at_few({}, 1, 5).pairs, std::vector{5});
  EXPECT_TRUE(look_at_few({}, 24, 6).pairs.empty());
  EXPECT_EQ(look_at_few({}, 24, 7).early.plain, 7);
}

TEST(EarlyShift, IsTheRangeWithItsMargins) {
  const EarlyLooks early = dear(1).early;
  const auto width = [&](int pairs) {
    const auto shift = early_shift(pairs_about(0.2, 0.02, pairs), early);
    return shift ? shift->high - shift->low : 0;
  };
  EXPECT_EQ(width(3), 0) << "no look";
  EXPECT_NEAR(width(5), 0.02 + 2 * std::log(1.5), 1e-12);
  EXPECT_NEAR(width(6), 3 * 0.02, 1e-12);
  EXPECT_NEAR(width(8), 3 * 0.02, 1e-12);
  EXPECT_NEAR(width(9), 2 * 0.02, 1e-12);
  EXPECT_EQ(width(11), 0) << "an ordinary look";
  EXPECT_NEAR(early_shift(pairs_about(0.2, 0.02, 6), early)->estimate, std::log1p(0.2), 1e-12);
  const auto wide = early_shift(pairs_about(3, 0.2, 5), early);
  EXPECT_NEAR(wide->high - wide->low, 9 * 0.2, 1e-12);
}

TEST(EarlyShift, NeedsBothOrders) {
  EarlyLooks early = dear(1).early;
  early.one_order = pairs_in_one_order(std::vector<PairPlace>(6, {true}));
  EXPECT_EQ(early.one_order, 6);
  EXPECT_FALSE(early_shift(pairs_about(0.2, 0.02, 6), early));
  EXPECT_TRUE(early_shift(pairs_about(0.2, 0.02, 7), early));
  EXPECT_EQ(pairs_in_one_order(std::vector<PairPlace>{{true}, {true}, {false}}), 2);
  EXPECT_EQ(pairs_in_one_order({}), 0);
}

TEST(EarlyShift, OfEqualBytesIsZero) {
  EarlyLooks early = dear(1).early;
  const std::vector<double> none(4, 0.0);
  EXPECT_GT(early_shift(none, early)->high, 0.1);
  early.equal = 4;
  EXPECT_EQ(early_shift(none, early)->high, 0);
  EXPECT_EQ(early_shift(none, early)->low, 0);
}

TEST(EarlyDecision, NeedsSixPairsOfASmallEffectAndFourOfAHugeOne) {
  const Rule rule = rule_of(dear(1));
  for (const double change : {0.0, 0.15, -0.15}) {
    EXPECT_FALSE(decide(pairs_about(change, 0.01, 5), rule, false).decided()) << change;
    const Decision decision = decide(pairs_about(change, 0.01, 12), rule, false);
    EXPECT_EQ(decision.pairs, 6) << change;
    EXPECT_TRUE(decision.early);
    EXPECT_EQ(decision.look, 1);
    EXPECT_EQ(decision.verdict, change == 0  ? Verdict::unchanged
                                : change > 0 ? Verdict::regressed
                                             : Verdict::improved);
  }
  EXPECT_EQ(decide(pairs_about(2, 0.01, 12), rule, false).pairs, 4);
  const Rule higher = rule_of(dear(1), Better::higher);
  EXPECT_EQ(decide(pairs_about(0.15, 0.01, 6), higher, false).verdict, Verdict::improved);
}

TEST(EarlyDecision, NeedsTheEstimateAtTheThreshold) {
  EXPECT_FALSE(decide(pairs_about(0.09, 0.02, 10), rule_of(dear(1)), false).decided());
  EXPECT_EQ(decide(pairs_about(0.101, 0.001, 10), rule_of(dear(1)), false).pairs, 6);
}

// Pairs that lie apart as far as they lie beyond the bound: half of that is enough at nine.
TEST(EarlyDecision, WaitsWhereNoiseIsLarge) {
  EXPECT_EQ(decide(pairs_about(0, 0.08, 24), rule_of(dear(1)), false).pairs, 9);
  const Decision late = decide(pairs_about(0, 0.11, 24), rule_of(dear(1)), false);
  EXPECT_EQ(late.pairs, 11);
  EXPECT_FALSE(late.early);
  EXPECT_EQ(late.look, 1);
}

TEST(EarlyDecision, ShowsTheIntervalWhereMeasuringEnds) {
  const Rule rule = rule_of(dear(1));
  const Decision few = decide(pairs_about(0, 0.3, 5), rule, true);
  EXPECT_FALSE(few.shift);
  EXPECT_EQ(few.pairs_needed, 6);
  const Decision enough = decide(pairs_about(0, 0.3, 7), rule, true);
  ASSERT_TRUE(enough.shift);
  EXPECT_EQ(enough.verdict, Verdict::inconclusive);
  EXPECT_EQ(enough.look, 1);
  EXPECT_EQ(enough.pairs_needed, 11);
  EXPECT_FALSE(decide(pairs_about(0, 0.3, 7), rule, false).shift) << "more pairs will come";
}

TEST(EarlyDecision, StatesWhatItCannotSee) {
  const Rule rule = rule_of(dear(1));
  Comparison row;
  record(decide(pairs_about(0.15, 0.01, 6), rule, false), rule, row);
  ASSERT_EQ(row.notes.size(), 1U);
  EXPECT_EQ(reporter::sentence(row.notes[0]),
            "decided at 6 pairs: a state that only some of head's processes enter may be unseen");
  EXPECT_EQ(row.pairs, 6);
  Comparison open;
  record(decide(pairs_about(0, 0.3, 7), rule, true), rule, open);
  EXPECT_TRUE(open.notes.empty());
}

}  // namespace
}  // namespace perf

#include "analyzer/rule/decision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "analyzer/rule/look_schedule.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "reporter/text/sentences.h"

namespace perf {
namespace {

Rule rule_of(double threshold = 0.10, Better better = Better::lower) {
  const Policy policy;
  Rule rule;
  rule.bounds = bounds_for(threshold, policy);
  rule.better = better;
  rule.look_alpha = look_alpha(policy, 1);
  rule.most_looks = policy.looks;
  rule.looks = look_schedule(policy, 1);
  return rule;
}

// n differences evenly spread over centre +- spread, in an order that mixes them.
std::vector<double> spread(int n, double centre, double half_width) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    const int place = i * 7 % n;
    values.push_back(centre + half_width * (n > 1 ? 2.0 * place / (n - 1) - 1 : 0));
  }
  return values;
}

TEST(Decision, FollowsTheEstimateAndTheIntervalOfALook) {
  const auto verdict = [](double centre, double half_width, Better better) {
    return decide(spread(11, centre, half_width), rule_of(0.10, better), false).verdict;
  };
  struct Shifted {
    const char* why;
    double ratio, half_width;
    Verdict rise, fall;
  };
  for (const Shifted& one :
       {Shifted{"within the threshold", 1, 0.02, Verdict::unchanged, Verdict::unchanged},
        {"the estimate beyond it", 1.15, 0.02, Verdict::regressed, Verdict::improved},
        {"significant, but estimated below it: sampling goes on", 1.09, 0.02, Verdict::inconclusive,
         Verdict::inconclusive},
        {"the interval reaches below half of it", 1.12, 0.09, Verdict::inconclusive,
         Verdict::inconclusive}}) {
    SCOPED_TRACE(one.why);
    const double centre = std::log(one.ratio);
    EXPECT_EQ(verdict(centre, one.half_width, Better::lower), one.rise);
    EXPECT_EQ(verdict(-centre, one.half_width, Better::lower), one.fall);
    EXPECT_EQ(verdict(-centre, one.half_width, Better::higher), one.rise);
    EXPECT_EQ(verdict(centre, one.half_width, Better::higher), one.fall);
  }
}

TEST(Decision, SeparatesTheTailsWhereOnlyOneCanErr) {
  Rule rule = rule_of();
  rule.look_alpha = 0.01;
  rule.tails_apart = true;
  const std::vector<double> narrow = spread(24, 0, 0.05), wide = spread(24, 0, 0.8);
  EXPECT_EQ(shift_at_look(narrow, rule)->high, estimate_shift(narrow, 0.02)->high);
  EXPECT_EQ(shift_at_look(wide, rule)->high, estimate_shift(wide, 0.01)->high);
  rule.tails_apart = false;
  EXPECT_EQ(shift_at_look(narrow, rule)->high, estimate_shift(narrow, 0.01)->high);
}

TEST(Decision, IsInconclusiveBeforeALook) {
  const Decision decision = decide(spread(10, 0.5, 0.01), rule_of(), true);
  EXPECT_EQ(decision.verdict, Verdict::inconclusive);
  EXPECT_EQ(decision.look, 0);
  EXPECT_FALSE(decision.shift);
  EXPECT_NEAR(*decision.estimate, 0.5, 1e-9);
  EXPECT_EQ(decision.pairs_needed, 11);
  const Decision of_nothing = decide({}, rule_of(), true);
  EXPECT_EQ(of_nothing.verdict, Verdict::inconclusive);
  EXPECT_EQ(of_nothing.pairs, 0);
  EXPECT_FALSE(of_nothing.estimate);
}

TEST(Decision, KeepsTheFirstVerdict) {
  std::vector<double> differences = spread(11, 0, 0.02);
  differences.resize(74, 0.5);  // whatever comes later
  const Decision decision = decide(differences, rule_of(), true);
  EXPECT_EQ(decision.verdict, Verdict::unchanged);
  EXPECT_EQ(decision.pairs, 11);
  EXPECT_NEAR(*decision.estimate, 0, 1e-9);
}

TEST(Decision, IsThatOfTheFirstLookWhoseShiftDecides) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::vector<int> decided_at(7);
  for (int i = 0; i < 2000; ++i) {
    const Rule rule = rule_of(0.10, i % 2 == 0 ? Better::lower : Better::higher);
    const double centre = 0.05 * static_cast<double>(i % 7 - 3);
    const double grain = i % 3 == 0 ? 0.05 : 1e-9;  // many ties, and averages at 0
    std::vector<double> differences(static_cast<std::size_t>(rule.looks.back()));
    std::ranges::generate(
        differences, [&] { return grain * std::round((centre + 0.1 * normal(engine)) / grain); });
    const Decision decision = decide(differences, rule, true);
    int look = 0;
    Verdict verdict = Verdict::inconclusive;
    std::optional<Shift> shift;
    while (verdict == Verdict::inconclusive && look < static_cast<int>(rule.looks.size())) {
      const auto pairs = static_cast<std::size_t>(rule.looks[static_cast<std::size_t>(look++)]);
      shift = shift_at_look(std::span(differences).first(pairs), rule);
      verdict = verdict_at_look(*shift, rule.better, rule.bounds);
    }
    ASSERT_EQ(decision.look, look) << i;
    ASSERT_EQ(decision.verdict, verdict) << i;
    ASSERT_EQ(decision.estimate, shift->estimate) << i;
    ++decided_at[static_cast<std::size_t>(look)];
  }
  for (int look = 1; look <= 6; ++look) {
    EXPECT_GT(decided_at[static_cast<std::size_t>(look)], 50) << "of each there is something";
  }
}

TEST(Decision, IgnoresPairsBetweenLooksWhileMoreMayCome) {
  std::vector<double> differences = spread(11, 0, 0.3);
  differences.resize(15, 0.0);
  EXPECT_EQ(decide(differences, rule_of(), false).pairs, 11);
  EXPECT_EQ(decide(differences, rule_of(), true).pairs, 15);
  EXPECT_EQ(decide(differences, rule_of(), true).look, 2);
}

TEST(Decision, TakesNoMoreThanAllLooks) {
  const std::vector<double> differences = spread(100, 0, 0.8);
  const Decision decision = decide(differences, rule_of(), true);
  EXPECT_EQ(decision.look, 6);
  EXPECT_EQ(decision.pairs, 74);
}

TEST(Decision, UsesTheOrderOfAllPairsAtEachLook) {
  std::vector<double> differences;
  for (int i = 0; i < 74; ++i) {  // in turns at first, in long waves later
    differences.push_back(i < 11 ? (i % 2 == 0 ? 0.02 : -0.02) : 0.3 * std::sin(i / 6.0));
  }
  Rule rule = rule_of();
  EXPECT_EQ(decide(differences, rule, true).pairs, 11);
  EXPECT_EQ(decide(differences, rule, true).verdict, Verdict::unchanged);
  rule.complete = true;
  const Decision decision = decide(differences, rule, true);
  EXPECT_NE(decision.verdict, Verdict::unchanged);
  EXPECT_GT(decision.look, 1);
}

TEST(Decision, HasARuleForZeros) {
  struct Pair {
    double base, head;
    Better better;
    Verdict verdict;
    std::optional<double> change;
  };
  for (const Pair& one : {Pair{0, 0, Better::lower, Verdict::unchanged, 0.0},
                          {0, 5, Better::lower, Verdict::regressed, {}},
                          {5, 0, Better::lower, Verdict::improved, -1.0},
                          {0, 5, Better::higher, Verdict::improved, {}},
                          {5, 0, Better::higher, Verdict::regressed, -1.0}}) {
    SCOPED_TRACE(testing::Message() << one.base << " -> " << one.head);
    Comparison row;
    row.metric = kPeakRss;
    const Rule rule = rule_of(0.10, one.better);
    record(decide(std::vector<double>(11, *log_ratio(one.base, one.head)), rule, true), rule, row);
    EXPECT_EQ(row.verdict, one.verdict);
    EXPECT_EQ(row.change, one.change);
    EXPECT_TRUE(one.change || !row.interval);
    EXPECT_TRUE(row.notes.empty());
  }
}

TEST(Decision, IsHopelessWhereSomePairsRiseFromZero) {
  std::vector<double> differences;
  for (int i = 0; i < 74; ++i) {
    differences.push_back(i % 4 == 0 ? kZeroSide : 0);
  }
  const Decision decision = decide(differences, rule_of(), true);
  EXPECT_EQ(decision.verdict, Verdict::inconclusive);
  EXPECT_FALSE(decision.pairs_needed);
}

TEST(Decision, SaysWhenARegressionIsCertain) {
  const Rule rule = rule_of();
  Comparison row;
  record(decide(spread(11, std::log(1.20), 0.02), rule, false), rule, row);
  EXPECT_EQ(row.verdict, Verdict::regressed);
  EXPECT_TRUE(row.certain);
  row = {};
  record(decide(spread(11, std::log(1.11), 0.03), rule, false), rule, row);
  EXPECT_EQ(row.verdict, Verdict::regressed);
  EXPECT_FALSE(row.certain);
}

TEST(Decision, NotesWhatLiesBelowTheThreshold) {
  const auto noted = [](double ratio, double half_width, Verdict verdict) {
    const Rule rule = rule_of();
    Comparison row;
    row.metric = kStepTime;
    record(decide(spread(11, std::log(ratio), half_width), rule, true), rule, row);
    EXPECT_EQ(row.verdict, verdict);
    return reporter::sentences(row.notes);
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(noted(1.03, 0.01, Verdict::unchanged),
            Texts{"significant shift of +3 % below the threshold"});
  EXPECT_EQ(noted(1.08, 0.05, Verdict::inconclusive),
            Texts{"slower by about 8 %, probably below the threshold"});
}

TEST(Decision, RecordsChangeAndIntervalAsRelative) {
  const Rule rule = rule_of();
  Comparison row;
  record(decide(spread(11, std::log(1.15), 0.02), rule, false), rule, row);
  EXPECT_NEAR(*row.change, 0.15, 1e-6);
  EXPECT_NEAR(row.interval->low, 1.15 * std::exp(-0.02) - 1, 1e-6);
  EXPECT_NEAR(row.interval->high, 1.15 * std::exp(0.02) - 1, 1e-6);
  EXPECT_NEAR(*row.smallest_visible, std::expm1(0.02), 1e-6);
  EXPECT_EQ(row.look_alpha, rule.look_alpha);
  EXPECT_DOUBLE_EQ(*row.p_value, std::ldexp(1, -10));
}

TEST(PairsNeeded, FollowsTheFormula) {
  const Bounds bounds = bounds_for(0.10, Policy{});
  Shift shift;
  shift.estimate = 0;
  shift.low = -0.2;
  shift.high = 0.2;
  EXPECT_EQ(pairs_needed(shift, 24, bounds), std::ceil(24 * std::pow(0.2 / std::log(1.1), 2)));
  shift.estimate = -0.15;  // beyond the threshold: the gap is to half of it
  EXPECT_EQ(pairs_needed(shift, 24, bounds),
            std::ceil(24 * std::pow(0.2 / (0.15 - std::log(1.05)), 2)));
}

TEST(PairsNeeded, IsMoreThanThereWere) {
  Shift shift;
  shift.low = -0.01;
  shift.high = 0.2;
  EXPECT_GE(pairs_needed(shift, 24, bounds_for(0.50, Policy{})), 25);
}

TEST(PairsNeeded, IsNothingWhereNoNumberWouldDo) {
  const Bounds bounds = bounds_for(0.10, Policy{});
  Shift shift;
  shift.estimate = std::nextafter(bounds.relevant, 0);
  shift.low = 0;
  shift.high = 0.2;
  EXPECT_FALSE(pairs_needed(shift, 24, bounds));
  shift.estimate = 0;
  EXPECT_FALSE(pairs_needed(shift, 24, bounds_for(0, Policy{})));
}

}  // namespace
}  // namespace perf

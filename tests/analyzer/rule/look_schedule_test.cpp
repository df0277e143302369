#include "analyzer/rule/look_schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "schema/error.h"
#include "tests/contains.h"
#include "tests/thrown_by.h"

namespace perf {
namespace {

using Looks = std::vector<int>;

TEST(LookSchedule, MatchesThePublishedSchedule) {
  EXPECT_EQ(look_schedule(Policy{}, 1), (Looks{11, 16, 24, 35, 51, 74}));
  EXPECT_EQ(look_schedule(Policy{}, 50), (Looks{16, 24, 35, 51, 74, 108}));
  EXPECT_EQ(look_schedule(Policy{}, 24).front(), 15);
}

TEST(LookSchedule, StartsWhereUnanimousPairsFirstSuffice) {
  for (const int judged : {1, 2, 7, 24, 50, 1000}) {
    const int first = first_possible_look(Policy{}, judged);
    const double level = look_alpha(Policy{}, judged);
    EXPECT_LE(std::ldexp(1, 1 - first), level) << judged;
    EXPECT_GT(std::ldexp(1, 2 - first), level) << judged;
  }
}

TEST(LookSchedule, SpendsTheErrorRateOverComparisonsAndLooks) {
  EXPECT_DOUBLE_EQ(look_alpha(Policy{}, 50), 0.01 / 300);
}

TEST(LookSchedule, DoesNotGrowAWholeProductByRounding) {
  Policy policy;
  policy.min_pairs = 20;  // 1.45 * 20 = 29
  EXPECT_EQ(look_schedule(policy, 1)[1], 29);
}

TEST(LookSchedule, MinimumRaisesTheFirstLookOnly) {
  Policy policy;
  policy.min_pairs = 20;
  EXPECT_EQ(look_schedule(policy, 1), (Looks{20, 29, 43, 63, 92, 134}));
  policy.min_pairs = 5;
  EXPECT_EQ(look_schedule(policy, 1).front(), 11);
}

TEST(LookSchedule, MaximumEndsItWithALook) {
  Policy policy;
  policy.max_pairs = 24;
  EXPECT_EQ(look_schedule(policy, 1), (Looks{11, 16, 24}));
  policy.max_pairs = 30;
  EXPECT_EQ(look_schedule(policy, 1), (Looks{11, 16, 24, 30}));
  policy.max_pairs = 11;
  EXPECT_EQ(look_schedule(policy, 1), (Looks{11}));
  policy.max_pairs = 10;
  EXPECT_TRUE(look_schedule(policy, 1).empty());
}

TEST(LookSchedule, ASingleLookIsTheLast) {
  Policy policy;
  policy.looks = 1;
  EXPECT_EQ(first_possible_look(policy, 1), 8);
  EXPECT_EQ(look_schedule(policy, 1, 200), Looks{200});
  EXPECT_EQ(look_schedule(policy, 1, 8), Looks{8});
  EXPECT_EQ(look_schedule(policy, 1, 7), Looks{});
}

TEST(LookSchedule, MaximumBeyondTheSixthLookAddsNone) {
  Policy policy;
  for (const int most : {74, 75, 200}) {
    policy.max_pairs = most;
    EXPECT_EQ(look_schedule(policy, 1), (Looks{11, 16, 24, 35, 51, 74})) << most;
  }
  policy.max_pairs = 73;
  EXPECT_EQ(look_schedule(policy, 1), (Looks{11, 16, 24, 35, 51, 73}));
  policy.min_pairs = policy.max_pairs = 200;
  EXPECT_EQ(look_schedule(policy, 1), (Looks{200}));
}

TEST(LookSchedule, CountsOneComparisonInTheSingular) {
  Policy policy;
  policy.max_pairs = 3;
  const auto error = thrown_by<UsageError>([&] { require_reachable_look(policy, 1); });
  EXPECT_TRUE(contains(error.subject, "1 judged comparison needs 11 pairs"));
}

TEST(LookSchedule, TruncationGivesNoErrorBack) {
  Policy policy;
  policy.max_pairs = 11;
  EXPECT_DOUBLE_EQ(look_alpha(policy, 1), 0.01 / 6);
}

TEST(LookSchedule, UnreachableFirstLookNamesTheNumbers) {
  Policy policy;
  policy.max_pairs = 12;
  EXPECT_NO_THROW(require_reachable_look(policy, 1));
  const auto error = thrown_by<UsageError>([&] { require_reachable_look(policy, 50); });
  EXPECT_TRUE(contains_all(error.subject, {"12", "16", "50"}));
  EXPECT_TRUE(contains(error.hint, "--pairs 16"));
  policy.max_pairs = 0;
  EXPECT_NO_THROW(require_reachable_look(policy, 50));
}

TEST(LookSchedule, RefusesAMinimumAboveTheMaximum) {
  Policy policy;
  policy.min_pairs = 40;
  policy.max_pairs = 30;
  EXPECT_THROW(require_reachable_look(policy, 1), UsageError);
}

TEST(LookSchedule, ExtremePoliciesStayFinite) {
  Policy policy;
  policy.alpha = 1e-300;
  EXPECT_GT(first_possible_look(policy, 1000), 900);
  policy = Policy{};
  policy.min_pairs = 2'000'000'000;
  EXPECT_EQ(look_schedule(policy, 1).size(), 6u);
  policy.alpha = 0.99;
  policy.looks = 1;
  policy.min_pairs = 0;
  EXPECT_EQ(look_schedule(policy, 1), (Looks{2}));
}

}  // namespace
}  // namespace perf

#include "analyzer/rule/earlier_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/samples/standing.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using SessionPairs = std::vector<std::vector<double>>;

/// Sessions of pairs about changes of their own, at most `noise` from them.
SessionPairs sessions_of(int sessions, int pairs, double noise) {
  SessionPairs all;
  for (int i = 0; i < sessions; ++i) {
    std::vector<double>& session = all.emplace_back();
    for (int pair = 0; pair < pairs; ++pair) {
      const double place = std::sin(1.0 + 37 * i + 11 * pair);
      session.push_back(0.1 * i + noise * place);
    }
  }
  return all;
}

EarlyLooks rested(const std::optional<EarlierNoise>& noise, int judged, double resolution = 0) {
  EarlyLooks early = looks_of_dear({}, judged, false).early;
  rest_on(noise.value(), resolution, Policy{}, judged, early);
  return early;
}

TEST(EarlierNoise, IsOfTheMiddleOfEachSession) {
  const auto noise = noise_of(sessions_of(5, 6, 0.01));
  ASSERT_TRUE(noise);
  EXPECT_EQ(noise->pairs, 30);
  ASSERT_EQ(noise->largest.size(), 3U);
  EXPECT_LE(noise->largest[0], 0.02);
  EXPECT_GE(noise->largest[2], 0.005);
  EXPECT_GE(noise->largest[1], noise->largest[2]);
}

TEST(EarlierNoise, NeedsThirtyPairsOfFiveSessions) {
  EXPECT_FALSE(noise_of(SessionPairs{}));
  EXPECT_FALSE(noise_of(sessions_of(4, 20, 0.01)));
  EXPECT_FALSE(noise_of(sessions_of(7, 4, 0.01)));
  EXPECT_TRUE(noise_of(sessions_of(8, 4, 0.01)));
  EXPECT_FALSE(noise_of(sessions_of(40, 3, 0.01))) << "sessions of four pairs";
}

TEST(EarlierNoise, IsOfTheNewestPairs) {
  SessionPairs all = sessions_of(40, 6, 0.01);
  for (double& one : all.back()) {
    one *= 1000;  // the oldest
  }
  const auto noise = noise_of(all);
  ASSERT_TRUE(noise);
  EXPECT_EQ(noise->pairs, 198) << "33 sessions, and two pairs are no session";
  EXPECT_LE(noise->largest[0], 0.02);
}

TEST(EarlierNoise, TakesACopyOfASessionOnce) {
  const SessionPairs one = sessions_of(1, 10, 0.01);
  EXPECT_FALSE(noise_of(SessionPairs(5, one[0])));
}

TEST(EarlierNoise, IsNotWhatAMetricResolves) {
  SessionPairs ticks(8, std::vector<double>(6, 0.0));
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    ticks[i].assign(4 + i, 0.0);  // unlike each other
  }
  EXPECT_FALSE(noise_of(ticks));
  ticks[0][1] = ticks[1][2] = 0.05;
  EXPECT_FALSE(noise_of(ticks)) << "less than a tenth";
  EXPECT_GE(rested(noise_of(sessions_of(5, 6, 0.0001)), 1, 0.02).usual, 0.02);
}

TEST(EarlierNoise, NeedsIndependentPairs) {
  SessionPairs slow = sessions_of(5, 20, 0.001);
  for (std::vector<double>& session : slow) {
    for (std::size_t i = 0; i < session.size(); ++i) {
      session[i] += i < 10 ? 0.02 : -0.02;
    }
  }
  EXPECT_FALSE(noise_of(slow));
}

// The j-th largest distance of N pairs: what m (or first look) allows, N/10 at most.
TEST(RestOn, TakesWhatTheErrorAllows) {
  EarlierNoise noise;
  noise.pairs = 30;
  noise.largest = {3, 2, 1};
  EXPECT_EQ(rested(noise, 1).usual, 1);
  EXPECT_EQ(rested(noise, 1).earlier, 30);
  EXPECT_EQ(rested(noise, 4).usual, 3) << "at its first look, at 4 pairs, j = 1";
  EXPECT_EQ(rested(noise, 24).usual, 1);
  noise.pairs = 12;
  EXPECT_EQ(rested(noise, 4).usual, 0) << "no j";
}

TEST(EarlyShift, RestsOnEarlierNoise) {
  EarlyLooks early = looks_of_dear({}, 1, false).early;
  early.usual = 0.03;
  const auto width = [&](double range, int pairs) {
    std::vector<double> seen(static_cast<std::size_t>(pairs), 0.0);
    seen[1] = range;
    const auto shift = early_shift(seen, early);
    return shift->high - shift->low;
  };
  EXPECT_NEAR(width(0.02, 4), 0.02 + 2 * 0.03, 1e-12);
  EXPECT_NEAR(width(0.05, 5), 3 * 0.05, 1e-12);
  EXPECT_NEAR(width(0.07, 4), 0.07 + 2 * std::log(1.5), 1e-12) << "unlike them";
  EXPECT_NEAR(width(0.01, 4), 0.01 + 2 * std::log(1.5), 1e-12) << "all may be in one state";
  EXPECT_NEAR(width(0.02, 6), 3 * 0.02, 1e-12) << "the pairs alone";
  early.usual = 1;
  EXPECT_NEAR(width(0.5, 4), 0.5 + 2 * 1, 1e-12);
  early.usual = 4;
  EXPECT_NEAR(width(0.1, 4), 0.1 + 2 * std::log(1.5), 1e-12);
}

Plan plan_with_noise(double usual) {
  Plan plan = scripted::plan_of({"w"});
  plan.workloads[0].earlier_noise = {
      {"w", plan.workloads[0].workload.params, kStepTime, 62, std::vector<double>(6, usual)}};
  return plan;
}

/// Dear pairs, head slower by a share.
Measurements dear_pairs(int pairs, double slower, double noise = 0.002) {
  Measurements measurements;
  for (int pair = 0; pair < pairs; ++pair) {
    scripted::add_pair(measurements, "w", pair, 0.33,
                       0.33 * (1 + slower) * (1 + noise * (pair % 3)));
    const auto last = measurements.invocations.end();
    (last - 1)->start_order = 2 * pair + pair % 2;
    (last - 2)->start_order = 2 * pair + 1 - pair % 2;
    (last - 1)->process.wall = (last - 2)->process.wall = 1.5;
  }
  return measurements;
}

MetricStanding standing_after(const Plan& plan, const Measurements& measurements) {
  Policy policy;
  policy.metrics = {"step_time"};
  const Standing standing = standing_of(plan, measurements, policy);
  return *std::ranges::find_if(standing.workloads[0].series, &MetricStanding::under_test);
}

TEST(StandingWithEarlierNoise, IsDecidedAtFourPairs) {
  const Plan plan = plan_with_noise(0.005);
  for (const double slower : {0.0, 0.15}) {
    const Measurements four = dear_pairs(4, slower);
    EXPECT_FALSE(standing_after(scripted::plan_of({"w"}), four).decision.decided());
    const MetricStanding one = standing_after(plan, four);
    EXPECT_EQ(one.decision.verdict, slower > 0 ? Verdict::regressed : Verdict::unchanged);
    Comparison row;
    record(one.decision, one.rule, row);
    ASSERT_FALSE(row.notes.empty());
    EXPECT_EQ(reporter::sentence(row.notes.back()),
              "decided at 4 pairs, by the noise of 62 earlier pairs: a state that only some of "
              "head's processes enter may be unseen");
  }
  // What the pairs alone decide does not name them.
  const MetricStanding huge = standing_after(plan, dear_pairs(4, 2));
  EXPECT_EQ(huge.decision.pairs, 4);
  EXPECT_EQ(huge.decision.earlier, 0);
}

TEST(StandingWithEarlierNoise, TakesNoneOfAnotherSeries) {
  const Measurements four = dear_pairs(4, 0.15);
  Plan plan = plan_with_noise(0.005);
  plan.workloads[0].earlier_noise[0].metric = kPeakRss;
  EXPECT_FALSE(standing_after(plan, four).decision.decided());
  plan = plan_with_noise(0.005);
  plan.workloads[0].earlier_noise[0].params["n"] = std::int64_t{7};
  EXPECT_FALSE(standing_after(plan, four).decision.decided());
  plan = plan_with_noise(0.005);
  plan.workloads[0].earlier_noise[0].workload = "w/child";
  EXPECT_FALSE(standing_after(plan, four).decision.decided());
}

TEST(StandingWithEarlierNoise, NotesNoiseUnlikeIt) {
  const MetricStanding one = standing_after(plan_with_noise(0.001), dear_pairs(6, 0.15, 0.01));
  EXPECT_EQ(one.decision.pairs, 6) << "as without a history";
  Comparison row;
  record(one.decision, one.rule, row);
  ASSERT_EQ(row.notes.size(), 2U);
  EXPECT_EQ(row.notes[0].kind, WarningKind::noise_unlike_history);
  EXPECT_EQ(row.notes[1].figures.count("earlier"), 0U);
}

}  // namespace
}  // namespace perf

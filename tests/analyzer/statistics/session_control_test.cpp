#include "analyzer/statistics/session_control.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

TEST(SessionControl, ReachIsOfTheTDistribution) {
  std::vector<double> others;
  for (int i = -17; i <= 17; ++i) {
    others.push_back(0.01 * i);
  }
  const SessionControl control = *session_control(others, 0.01);
  EXPECT_NEAR(control.centre, 0, 1e-12);
  // Of 35 distances 0, .01, .01, .02, ... the 23rd is .11; |t| of 3 degrees of freedom
  // exceeds 5.841 with 1 %.
  EXPECT_NEAR(control.reach, 5.841 * 0.11 / 0.7649, 1e-3);
}

TEST(SessionControl, WantsFiveOthersAndReachesOneAndAHalf) {
  EXPECT_FALSE(session_control(std::vector<double>(4, 0.0), 0.01));
  EXPECT_NEAR(std::exp(session_control(std::vector<double>(5, 0.2), 0.01)->reach), 1.5, 1e-4);
  EXPECT_EQ(session_control(std::vector<double>(5, 0.2), 0.01)->centre, 0.2);
  EXPECT_TRUE(std::isfinite(session_control(std::vector<double>(1000, 0.2), 1e-12)->reach));
}

SessionRepetitions repetitions(int count, double centre, double deviation,
                               std::mt19937_64& engine) {
  std::student_t_distribution<double> noise(3);
  SessionRepetitions session;
  for (int i = 0; i < count; ++i) {
    session.values.push_back(centre + deviation * noise(engine));
  }
  return session;
}

TEST(ControlledShift, CoversBothReadingsOfASharedChange) {
  std::mt19937_64 engine(1);
  for (const int count : {5, 10}) {  // by ranges, and by ranks
    const SessionRepetitions base = repetitions(count, 0, 0.001, engine);
    const SessionRepetitions head = repetitions(count, 1, 0.001, engine);
    for (const double shared : {-0.3, 0.3}) {
      const Shift shift = *controlled_shift(base, head, std::vector(6, shared), 7, 0.01);
      EXPECT_LT(shift.low, std::min(1.0, 1 - shared) - std::log(1.5));
      EXPECT_GT(shift.high, std::max(1.0, 1 - shared) + std::log(1.5));
    }
    EXPECT_FALSE(controlled_shift(base, head, std::vector(3, 0.0), 4, 0.01)) << "too few others";
  }
}

TEST(ControlledShift, WantsRepetitionsByTheNumberOfBenchmarks) {
  std::mt19937_64 engine(1);
  EXPECT_EQ(fewest_repetitions(7, 0.01), 5);
  EXPECT_EQ(fewest_repetitions(8, 0.01), 6);
  EXPECT_EQ(fewest_repetitions(30, 0.01), 6);
  EXPECT_EQ(fewest_repetitions(100, 0.01), 7);
  const SessionRepetitions five = repetitions(5, 0, 1, engine), four = repetitions(4, 0, 1, engine);
  EXPECT_TRUE(controlled_shift(five, five, std::vector(6, 0.0), 7, 0.01));
  EXPECT_FALSE(controlled_shift(five, four, std::vector(6, 0.0), 7, 0.01));
}

TEST(ControlledShift, OfRangesNeedsSidesThatLieFurtherApartThanWide) {
  const double reach = session_control(std::vector(6, 0.0), 1e-3)->reach;
  const SessionRepetitions base{{0, 0.1, 0.2, 0.3, 0.4}}, head{{2, 2.1, 2.2, 2.3, 2.3}};
  const Shift shift = *controlled_shift(base, head, std::vector(6, 0.0), 7, 0.01);
  EXPECT_NEAR(shift.low, 2 - 0.4 - 0.4 - reach, 1e-9);
  EXPECT_NEAR(shift.high, 2.3 + 0.4 + reach, 1e-9);
}

TEST(ControlledShift, OfStatisticsReachesByTheirErrors) {
  const SessionRepetitions base{{}, 0, 0.03}, head{{}, 1, 0.04}, unknown{{}, 1, 0};
  const Shift shift = *controlled_shift(base, head, std::vector(6, 0.0), 7, 0.01);
  EXPECT_NEAR(shift.low, 1 - quantile_t3(0.01 / 14) * 0.05 - std::log(1.5), 1e-3);
  EXPECT_FALSE(controlled_shift(base, unknown, std::vector(6, 0.0), 7, 0.01));
}

/// A report of benchmarks of which none is changed but the first `changed`, and what of it is said
/// to be: 10 in a hundred in another state by a fifth, `between` sessions, `repetitions` a side.
struct SimulatedReport {
  int benchmarks = 36, changed = 8, repetitions = 10;
  double between = 0;
  double two_modes = 0;  ///< the share of benchmarks of two modes, 4 times apart, each as frequent
};

struct Said {
  int found = 0;
  bool wrongly = false;
};

Said judge(const SimulatedReport& simulated, double sessions, std::mt19937_64& engine) {
  std::student_t_distribution<double> noise(3);
  std::vector<SessionRepetitions> base, head;
  std::vector<double> changes;
  for (int i = 0; i < simulated.benchmarks; ++i) {
    const bool is_changed = i < simulated.changed;
    const double own = 0.001 * (1 + i % 10 * (i % 10));  // up to 8 %
    const double state = engine() % 10 == 0 ? 0.2 : 0.0;
    const double truth = is_changed ? std::log(0.2) : 0;
    base.push_back(repetitions(simulated.repetitions, 0, own, engine));
    head.push_back(repetitions(simulated.repetitions,
                               truth + sessions + state + simulated.between * noise(engine), own,
                               engine));
    if (!is_changed && i < simulated.changed + simulated.two_modes * simulated.benchmarks) {
      for (auto* side : {&base.back(), &head.back()}) {
        for (double& value : side->values) {
          value += engine() % 2 == 0 ? std::log(4) : 0;
        }
      }
    }
    changes.push_back(median(head.back().values) - median(base.back().values));
  }
  Said said;
  for (int i = 0; i < simulated.benchmarks; ++i) {
    std::vector<double> others = changes;
    others.erase(others.begin() + i);
    const auto at = static_cast<std::size_t>(i);
    const auto shift = controlled_shift(base[at], head[at], others, simulated.benchmarks, 0.01);
    const bool is_told = shift && (shift->low > std::log(1.05) || shift->high < -std::log(1.05));
    said.found += i < simulated.changed && is_told ? 1 : 0;
    said.wrongly |= i >= simulated.changed && is_told;
  }
  return said;
}

TEST(ControlledShift, ErrsInOneReportOfAHundredAtMost) {
  constexpr int kReports = 300;
  std::mt19937_64 engine(20261126);
  for (SimulatedReport simulated :
       {SimulatedReport{}, SimulatedReport{.repetitions = 7},
        SimulatedReport{.benchmarks = 24, .changed = 2, .repetitions = 6},
        SimulatedReport{.benchmarks = 7, .changed = 1, .repetitions = 5}}) {
    for (const double between : {0.001, 0.01, 0.03, 0.1}) {
      simulated.between = between;
      int wrong = 0, found = 0;
      for (int report = 0; report < kReports; ++report) {
        const Said said =
            judge(simulated, 0.01 * (1 + report % 10) * (report % 2 == 0 ? 1 : -1), engine);
        wrong += said.wrongly ? 1 : 0;
        found += said.found;
      }
      EXPECT_LE(wrong, kReports / 100) << between << ", " << simulated.repetitions;
      if (between <= 0.01) {
        EXPECT_GE(found, 0.3 * kReports * simulated.changed) << simulated.repetitions;
      }
    }
  }
}

TEST(ControlledShift, ErrsAsRarelyWhereBenchmarksHaveTwoModes) {
  constexpr int kReports = 3000;
  std::mt19937_64 engine(20261129);
  for (const double share : {0.15, 0.3, 0.5, 1.0}) {
    for (const SimulatedReport& simulated :
         {SimulatedReport{7, 0, 5, 0.01, share}, SimulatedReport{30, 0, 6, 0.01, share}}) {
      int wrong = 0;
      for (int report = 0; report < kReports; ++report) {
        wrong += judge(simulated, 0.02, engine).wrongly ? 1 : 0;
      }
      EXPECT_LE(wrong, kReports / 100 + 2 * std::sqrt(kReports / 100.0)) << share;
    }
  }
}

}  // namespace
}  // namespace perf

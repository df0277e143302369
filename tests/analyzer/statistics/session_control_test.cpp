#include "analyzer/statistics/session_control.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

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

std::vector<double> repetitions(int count, double centre, double deviation,
                                std::mt19937_64& engine) {
  std::student_t_distribution<double> noise(3);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(centre + deviation * noise(engine));
  }
  return values;
}

TEST(ControlledShift, CoversBothReadingsOfASharedChange) {
  std::mt19937_64 engine(1);
  const std::vector<double> base = repetitions(10, 0, 0.001, engine);
  const std::vector<double> head = repetitions(10, 1, 0.001, engine);
  for (const double shared : {-0.3, 0.3}) {
    const Shift shift = *controlled_shift(base, head, std::vector(9, shared), 0.01);
    EXPECT_LT(shift.low, std::min(1.0, 1 - shared) - std::log(1.5));
    EXPECT_GT(shift.high, std::max(1.0, 1 - shared) + std::log(1.5));
  }
  EXPECT_FALSE(controlled_shift(base, head, std::vector(3, 0.0), 0.01)) << "too few others";
  EXPECT_FALSE(controlled_shift(repetitions(4, 0, 1, engine), repetitions(4, 0, 1, engine),
                                std::vector(9, 0.0), 0.01))
      << "too few repetitions";
}

// Reports of 36 benchmarks, 10 repetitions a side, sessions 1 to 10 % apart, benchmarks between
// them by `between` (t with 3 degrees of freedom), every tenth in another state by a fifth. None is
// changed; those that are by four fifths are found.
TEST(ControlledShift, ErrsInOneReportOfAHundredAtMost) {
  constexpr int kReports = 300, kBenchmarks = 36, kChanged = 8;
  std::mt19937_64 engine(20261126);
  std::student_t_distribution<double> noise(3);
  for (const double between : {0.001, 0.01, 0.03, 0.1}) {
    int wrong = 0, found = 0;
    for (int report = 0; report < kReports; ++report) {
      const double sessions = 0.01 * (1 + report % 10) * (report % 2 == 0 ? 1 : -1);
      std::vector<std::vector<double>> base, head;
      std::vector<double> changes;
      for (int i = 0; i < kBenchmarks; ++i) {
        const double own = 0.001 * (1 + i % 10 * (i % 10));  // up to 8 %
        const double state = engine() % 10 == 0 ? 0.2 : 0.0;
        const double truth = i < kChanged ? std::log(0.2) : 0;
        base.push_back(repetitions(10, 0, own, engine));
        head.push_back(
            repetitions(10, truth + sessions + state + between * noise(engine), own, engine));
        changes.push_back(truth + sessions + state + between * noise(engine));
      }
      bool errs = false;
      for (std::size_t i = 0; i < kBenchmarks; ++i) {
        std::vector<double> others = changes;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const Shift shift = *controlled_shift(base[i], head[i], others, 0.01 / kBenchmarks);
        const bool is_told = shift.low > std::log(1.05) || shift.high < -std::log(1.05);
        (i < kChanged ? found : wrong) += i < kChanged && is_told ? 1 : 0;
        errs |= i >= kChanged && is_told;
      }
      wrong += errs ? 1 : 0;
    }
    EXPECT_LE(wrong, kReports / 100) << between;
    if (between <= 0.01) {
      EXPECT_GE(found, 0.85 * kReports * kChanged) << between;
    }
  }
}

}  // namespace
}  // namespace perf

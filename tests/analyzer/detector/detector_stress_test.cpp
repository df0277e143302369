// What the detector promises of series of every nature: 400 clean ones, and 400 with a step of 5 %
// at 1 % noise. The bounds are those of the design; docs/detector.md has the rates themselves.

#include <gtest/gtest.h>

#include "analyzer/detector/change_points.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {
namespace {

class DetectorStress : public testing::TestWithParam<Nature> {};

TEST_P(DetectorStress, StaysQuietAndFindsSteps) {
  const Score score = score_steps(GetParam(), 400, 0.05, 11);
  EXPECT_LE(score.clean_rate(), 0.05);
  EXPECT_GE(score.recall(), GetParam() == Nature::sticky ? 0.80 : 0.90);
  EXPECT_LE(score.extra, score.points / 1000) << "alarms beside the planted step";
}

TEST_P(DetectorStress, IsQuietAtEveryLevelOfNoise) {
  std::mt19937_64 random(12);
  int alarmed = 0;
  for (int replica = 0; replica < 300; ++replica) {
    const double deviation = replica % 3 == 0 ? 0.002 : replica % 3 == 1 ? 0.03 : 0.1;
    alarmed += find_steps(times(noise_of(GetParam(), 150, deviation, random))).empty() ? 0 : 1;
  }
  EXPECT_LE(alarmed, 15);
}

TEST_P(DetectorStress, CallsNeitherNoiseNorAStepASlope) {
  std::mt19937_64 random(13);
  int on_clean = 0, on_step = 0;
  for (int replica = 0; replica < 200; ++replica) {
    const std::vector<double> clean = times(noise_of(GetParam(), 200, 0.01, random));
    on_clean += find_slope(clean, find_steps(clean)).has_value() ? 1 : 0;
    const std::vector<double> step = times(noise_of(GetParam(), 200, 0.01, random), 120, 0.05);
    on_step += find_slope(step, find_steps(step)).has_value() ? 1 : 0;
  }
  EXPECT_LE(on_clean, 2);
  EXPECT_LE(on_step, 6);
}

INSTANTIATE_TEST_SUITE_P(Natures, DetectorStress, testing::ValuesIn(all_natures()),
                         [](const auto& one) { return name_of(one.param); });

}  // namespace
}  // namespace perf::test

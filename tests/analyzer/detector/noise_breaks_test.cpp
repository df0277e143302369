// Noise that belongs to a stretch of history, not to all of it.

#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/detector/change_points.h"
#include "analyzer/detector/internal.h"
#include "tests/analyzer/detector/noise_histories.h"

namespace perf::test {
namespace {

constexpr std::size_t kHistories = 100;

Score score_moved(const Move& move, std::uint64_t seed) {
  return score_planted([&](std::mt19937_64& random) { return moved_suite(move, random); },
                       kHistories, seed);
}

TEST(NoiseBreaks, ALaterStepIsFoundByTheNoiseOfItsStretch) {
  for (const bool noisy_first : {true, false}) {
    EXPECT_GE(score_moved({72, 40, noisy_first}, 31).recall(), 0.97) << noisy_first;
    EXPECT_GE(score_moved({72, 9, noisy_first}, 32).recall(), 0.93) << noisy_first;
  }
}

TEST(NoiseBreaks, ChangedNoiseIsNoStep) {
  for (const bool noisy_first : {true, false}) {
    for (const std::size_t calm : {20U, 81U, 160U}) {
      const auto clean = [&](std::mt19937_64& random) {
        return moved_suite({calm, 0, noisy_first}, random).values;
      };
      EXPECT_LE(score_clean(clean, kHistories, 33).clean_rate(), 0.05) << calm;
    }
  }
}

/// Nothing but the noise changes, by 3 to 10 times. Modes that last are steps by a tenth more.
TEST(NoiseBreaks, NoiseThatFallsOrRisesAloneIsNoStep) {
  for (const Nature nature : all_natures()) {
    const auto series = [nature](std::mt19937_64& random) {
      std::vector<double> noise = noise_of(nature, 200, 0.01, random);
      const double factor = std::uniform_real_distribution<double>(3, 10)(random);
      const bool rises = random() % 2 == 0;
      for (std::size_t i = 0; i < noise.size(); ++i) {
        noise[i] *= (i < 100) == rises ? 1 : factor;
      }
      return times(noise);
    };
    EXPECT_LE(score_clean(series, kHistories, 34).clean_rate(),
              nature == Nature::sticky ? 0.25 : 0.08)
        << name_of(nature);
  }
}

TEST(NoiseBreaks, AreWhereTheNoiseChanges) {
  std::mt19937_64 random(35);
  std::vector<double> y = noise_of(Nature::white, 200, 0.01, random);
  EXPECT_TRUE(noise_breaks(y).empty());
  for (std::size_t i = 0; i < 100; ++i) {
    y[i] *= 5;
  }
  ASSERT_EQ(noise_breaks(y).size(), 1U);
  EXPECT_NEAR(static_cast<double>(noise_breaks(y)[0]), 100, 8);
}

TEST(NoiseBreaks, AStepAndASlopeAreNone) {
  std::mt19937_64 random(36);
  std::vector<double> y = noise_of(Nature::white, 200, 0.01, random);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] += i < 100 ? 0 : 3 + 0.001 * static_cast<double>(i);
  }
  EXPECT_TRUE(noise_breaks(y).empty());
}

TEST(NoiseBreaks, FewPointsAndConstantsHaveNone) {
  for (std::size_t points = 0; points < 40; ++points) {
    EXPECT_TRUE(noise_breaks(std::vector<double>(points, 1.0)).empty()) << points;
  }
}

TEST(StepBehindALargerOne, IsFoundAsOftenAsAlone) {
  for (const std::size_t points : {5U, 7U, 10U, 20U}) {
    for (const double deviations : {4.0, 6.0}) {
      EXPECT_GE(share_behind({12, points, deviations}, kHistories, 37) + 0.05,
                share_behind({0, points, deviations}, kHistories, 37))
          << points << " " << deviations;
    }
  }
}

TEST(StepBehindALargerOne, AHistoryLikeThatOfLrzipHasTwo) {
  EXPECT_GE(share_of_both_like_lrzip(200, 38), 0.93);
}

/// Series of so many points each of whose noise changes `factor` times in the middle, up or down.
std::vector<double> changing(Nature nature, double factor, std::mt19937_64& random) {
  std::vector<double> noise = noise_of(nature, 120, 0.01, random);
  const bool rises = random() % 2 == 0;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] *= (i < 60) == rises ? 1 : factor;
  }
  return times(noise, 80, 0.05);
}

TEST(NoiseChanges, AreMarkedFromTwiceTheVarianceOn) {
  for (const auto& [factor, least, most] :
       {std::tuple(1.0, 0, 2), std::tuple(2.0, 55, 100), std::tuple(3.0, 95, 100)}) {
    std::mt19937_64 random(36);
    int found = 0;
    for (int i = 0; i < 100; ++i) {
      const auto changes = find_noise_changes(changing(Nature::white, factor, random), Scale::log);
      found += changes.empty() ? 0 : 1;
    }
    EXPECT_GE(found, least) << factor;
    EXPECT_LE(found, most) << factor;
  }
}

TEST(NoiseChanges, AreNoneWhereNoiseStaysAsItIs) {
  for (const Nature nature : all_natures()) {
    std::mt19937_64 random(37);
    int marked = 0;
    for (int i = 0; i < 100; ++i) {
      marked += find_noise_changes(changing(nature, 1, random), Scale::log).empty() ? 0 : 1;
    }
    if (nature != Nature::changing) {
      EXPECT_LE(marked, 3) << name_of(nature);
    }
  }
}

TEST(NoiseChanges, SayBothNoisesAndWhere) {
  std::mt19937_64 random(38);
  std::vector<double> y = noise_of(Nature::white, 120, 0.01, random);
  for (std::size_t i = 0; i < 60; ++i) {
    y[i] *= 6;
  }
  std::vector<double> values = times(y, 90, 0.1);
  values.insert(values.begin(), std::nan(""));
  const std::vector<FoundNoiseChange> changes = find_noise_changes(values, Scale::log);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_NEAR(static_cast<double>(changes[0].index), 61, 8);
  EXPECT_EQ(changes[0].previous + 1, changes[0].index);
  EXPECT_NEAR(changes[0].before, 0.06, 0.02);
  EXPECT_NEAR(changes[0].after, 0.01, 0.003);
}

TEST(NoiseChanges, ASuspectIsJudgedByTheNoiseOfItsStretch) {
  std::mt19937_64 random(39);
  for (int i = 0; i < 50; ++i) {
    const std::vector<double> values = moved_suite({72, 0, false}, random).values;
    const LevelFit fit = fit_levels(searched_values(values, Scale::log), Scale::log);
    const std::vector<FoundStep> steps = find_steps(fit, Scale::log);
    const auto own = find_suspects(values, steps, Scale::log, fit.stretches);
    EXPECT_LE(own.size(), find_suspects(values, steps).size());
    for (const FoundStep& suspect : own) {
      EXPECT_GE(suspect.z, 3);
    }
  }
}

}  // namespace
}  // namespace perf::test

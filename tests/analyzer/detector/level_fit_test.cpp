// What find_steps makes of series with more in them than one step: many steps, drifts, modes that
// alternate, bursts. The bounds are a little below what history_evidence tells of more series.

#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/detector/change_points.h"
#include "analyzer/detector/internal.h"
#include "analyzer/detector/levels.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {
namespace {

using Random = std::mt19937_64;
constexpr std::size_t kReplicas = 200;

double extra_of(const Score& score) {
  return static_cast<double>(score.extra) / static_cast<double>(score.series);
}

TEST(CutFinder, FindsTheFirstOfTheBestCuts) {
  Random random(11);
  for (std::size_t n = 0; n <= 40; ++n) {
    std::vector<double> values = whole_ticks(n, 5, 1, random);  // many cuts explain as much
    const std::vector<double> sums = cumulative_sums(values);
    for (const std::size_t fewest : {1UL, 2UL, 5UL}) {
      Cut best;
      for (std::size_t left = fewest; left + fewest <= n; ++left) {
        const double l = static_cast<double>(left), all = static_cast<double>(n);
        const double excess = sums[left] - sums[0] - l * ((sums[n] - sums[0]) / all);
        const double explained = excess * excess * (all / (l * (all - l)));
        best = explained > best.explained ? Cut{left, explained} : best;
      }
      const Cut found = CutFinder(n, fewest).best(sums, 0);
      EXPECT_EQ(found.step, best.step) << n << ' ' << fewest;
      EXPECT_EQ(found.explained, best.explained) << n << ' ' << fewest;
      const Cut same = CutFinder(n, fewest).best(sums, 0, best.explained / 2);
      EXPECT_EQ(same.step, best.explained > 0 ? best.step : 0) << n << ' ' << fewest;
      EXPECT_EQ(CutFinder(n, fewest).best(sums, 0, best.explained).step, 0) << n << ' ' << fewest;
    }
  }
}

Score score_of(std::size_t points, std::size_t steps, double change, Course course) {
  return score_planted(
      [=](Random& random) { return with_steps(points, steps, change, course, 0.01, random); },
      kReplicas, 31);
}

TEST(LevelFit, FindsSeveralSteps) {
  struct Row {
    std::size_t points, steps;
    double change;
    Course course;
    double found;
  };
  for (const Row& row :
       {Row{150, 4, 0.05, Course::in_turn, 0.95}, Row{150, 6, 0.05, Course::in_turn, 0.95},
        Row{100, 3, 0.30, Course::in_turn, 0.95}, Row{60, 2, 0.30, Course::in_turn, 0.95},
        Row{150, 4, 0.10, Course::onward, 0.95}, Row{24, 3, 0.10, Course::onward, 0.80},
        Row{40, 4, 0.10, Course::onward, 0.95}}) {
    const Score score = score_of(row.points, row.steps, row.change, row.course);
    EXPECT_GE(score.recall(), row.found) << row.points << " points, " << row.steps << " steps";
    EXPECT_LE(extra_of(score), 0.1) << row.points << " points, " << row.steps << " steps";
  }
}

TEST(LevelFit, AStepBesideADriftIsFound) {
  const Score score = score_planted(step_beside_drift, kReplicas, 32);
  EXPECT_GE(score.recall(), 0.95);
  EXPECT_LE(extra_of(score), 0.1);
}

/// As steps a drift would be told two or three times, and as none of them right.
TEST(LevelFit, FindsNoStepInADrift) {
  const auto drift = [](Random& random) {
    std::vector<double> noise = noise_of(Nature::white, 200, 0.01, random);
    for (std::size_t i = 0; i < noise.size(); ++i) {
      noise[i] += 0.05 * static_cast<double>(i) / 199;
    }
    return times(noise);
  };
  EXPECT_LE(score_clean(drift, kReplicas, 33).clean_rate(), 0.05);
}

TEST(LevelFit, MeasuresTheChangeBesideTheDrift) {
  Random random(34);
  std::vector<double> noise = noise_of(Nature::white, 200, 0.01, random);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] -= 0.1 * static_cast<double>(i) / 199;
  }
  const std::vector<FoundStep> steps = find_steps(times(noise, 100, 0.05));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_NEAR(static_cast<double>(steps[0].index), 100, 1);
  EXPECT_NEAR(steps[0].change, 0.05, 0.01);
}

TEST(LevelFit, IgnoresAlternatingModes) {
  for (const double share : {0.1, 0.2, 0.3, 0.4}) {
    for (const double deviation : {0.001, 0.003, 0.01}) {
      const auto modes = [&](Random& random) {
        const double gap = std::uniform_real_distribution<double>(0.02, 0.06)(random);
        std::vector<double> noise = uneven_modes(300, gap / deviation, share, random);
        for (double& one : noise) {
          one *= deviation;
        }
        return times(noise);
      };
      EXPECT_LE(score_clean(modes, kReplicas, 35).clean_rate(), 0.05) << share << ", " << deviation;
    }
  }
}

TEST(LevelFit, FindsAStepOfAllModes) {
  const auto series = [](Random& random) {
    std::vector<double> noise = uneven_modes(200, 30, 0.2, random);
    for (double& one : noise) {
      one *= 0.002;
    }
    return Planted{times(noise, 120, 0.10), {120}};
  };
  EXPECT_GE(score_planted(series, kReplicas, 36).recall(), 0.95);
}

/// Each kept for 10 points on average: where they are as far apart as steps are.
TEST(LevelFit, MostlyIgnoresModesThatLast) {
  for (const double apart : {4.0, 6.0}) {
    const auto modes = [&](Random& random) {
      std::vector<double> noise = two_modes(200, apart, 10, random);
      for (double& one : noise) {
        one *= 0.01;
      }
      return times(noise);
    };
    EXPECT_LE(score_clean(modes, kReplicas, 44).clean_rate(), 0.15) << apart;
  }
}

TEST(LevelFit, IgnoresClockTicks) {
  for (const double level : {10.3, 20.5, 50.0}) {
    for (const double deviation : {0.2, 0.3, 0.5}) {
      const auto ticks = [=](Random& random) { return whole_ticks(300, level, deviation, random); };
      EXPECT_LE(score_clean(ticks, kReplicas, 37).clean_rate(), 0.05) << level << ", " << deviation;
    }
  }
}

/// Two to seven points far above the rest, now and again.
TEST(LevelFit, IgnoresABurst) {
  std::vector<double> values = times(std::vector<double>(100, 0.0));
  Random random(38);
  for (double& value : values) {
    value *= std::exp(std::normal_distribution<double>(0, 0.01)(random));
  }
  for (std::size_t i = 50; i < 57; ++i) {
    values[i] *= 1.3;
  }
  EXPECT_TRUE(find_steps(values).empty());
  for (std::size_t i = 57; i < 60; ++i) {
    values[i] *= 1.3;
  }
  EXPECT_EQ(find_steps(values).size(), 2U) << "10 points are a level";
}

TEST(LevelFit, ABurstThatMayStillLastIsAStep) {
  Random random(39);
  const std::vector<FoundStep> steps =
      find_steps(times(noise_of(Nature::white, 100, 0.01, random), 96, 0.3));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].index, 96U);
}

TEST(LevelFit, FourPointsOnEitherSideShowALargeStep) {
  for (const std::size_t points : {8U, 10U, 12U, 16U, 30U, 100U}) {
    for (const std::size_t step : {std::size_t{4}, points - 4}) {
      const auto series = [=](Random& random) {
        return Planted{times(noise_of(Nature::white, points, 0.01, random), step, 0.22), {step}};
      };
      const Score score = score_planted(series, kReplicas, 40);
      EXPECT_GE(score.recall(), 0.97) << step << " of " << points;
      EXPECT_LE(extra_of(score), 0.05) << step << " of " << points;
    }
  }
}

/// Points with correlation of first order: where it is strongest, short series show it least.
TEST(LevelFit, IgnoresCorrelatedNeighbours) {
  struct Row {
    double phi;
    std::size_t points;
    double alarmed;
  };
  for (const Row& row :
       {Row{0.5, 100, 0.05}, Row{0.7, 100, 0.06}, Row{0.7, 300, 0.03}, Row{0.8, 300, 0.06}}) {
    const auto series = [&](Random& random) {
      std::normal_distribution<double> normal;
      std::vector<double> noise(row.points);
      double last = normal(random);
      for (double& one : noise) {
        one = 0.01 * last;
        last = row.phi * last + std::sqrt(1 - row.phi * row.phi) * normal(random);
      }
      return times(noise);
    };
    EXPECT_LE(score_clean(series, kReplicas, 41).clean_rate(), row.alarmed)
        << row.phi << ", " << row.points;
  }
}

/// What comes again and again is no step either.
TEST(LevelFit, IgnoresWeeklyPatterns) {
  const auto weekly = [](Random& random) {
    std::vector<double> noise = noise_of(Nature::white, 200, 0.005, random);
    for (std::size_t i = 0; i < noise.size(); ++i) {
      noise[i] += i % 7 >= 5 ? 0.03 : 0;
    }
    return times(noise);
  };
  EXPECT_LE(score_clean(weekly, kReplicas, 42).clean_rate(), 0.01);
}

TEST(ClearSteps, ExcludeModesThatLast) {
  Random random(43);
  std::size_t clear = 0, points = 0;
  for (std::size_t replica = 0; replica < kReplicas; ++replica) {
    std::vector<double> y = two_modes(200, 3, 10, random);
    clear += clear_steps(y, noise_levels(y), Proposals(noise_levels(y)), Scale::linear).size();
    points += y.size();
  }
  EXPECT_LE(1000 * clear, points) << "of 100 switches in 1,000 points";
  const Planted planted = with_steps(150, 4, 0.05, Course::in_turn, 0.01, random);
  const std::vector<double> y = searched_values(planted.values, Scale::log).y;
  EXPECT_EQ(clear_steps(y, noise_levels(y), Proposals(noise_levels(y)), Scale::log).size(), 4U);
}

}  // namespace
}  // namespace perf::test

#include "analyzer/detector/change_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> stepped(std::size_t points, std::size_t step, double change,
                            std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  return times(noise_of(Nature::white, points, 0.01, random), step, change);
}

TEST(ChangePoints, DescribeAStepInFull) {
  const std::vector<FoundStep> steps = find_steps(stepped(100, 60, 0.10));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].index, 60U);
  EXPECT_EQ(steps[0].previous, 59U);
  EXPECT_NEAR(steps[0].change, 0.10, 0.01);
  EXPECT_LT(steps[0].interval.low, steps[0].change);
  EXPECT_GT(steps[0].interval.high, steps[0].change);
  EXPECT_GT(steps[0].interval.low, 0.05);
  EXPECT_GT(steps[0].z, 10);
  EXPECT_NEAR(steps[0].noise_before, 0.01, 0.005);
  EXPECT_NEAR(steps[0].noise_after, 0.01, 0.005);
  EXPECT_EQ(steps[0].left_begin, 0U);
  EXPECT_EQ(steps[0].right_end, 100U);
}

TEST(ChangePoints, AnImprovementIsNegative) {
  const std::vector<FoundStep> steps = find_steps(stepped(100, 40, -0.10));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_NEAR(steps[0].change, -0.10, 0.01);
  EXPECT_LT(steps[0].interval.high, 0);
}

/// The interval is of 95 %: of 500 steps it misses 25, +- 5 (one standard error).
TEST(ChangePoints, IntervalHoldsTheTrueChange) {
  int found = 0, missed = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    for (const FoundStep& step : find_steps(stepped(150, 70, 0.08, seed))) {
      ++found;
      missed += step.interval.low > 0.08 || step.interval.high < 0.08 ? 1 : 0;
    }
  }
  EXPECT_EQ(found, 500);
  EXPECT_LE(missed, 40);
}

TEST(ChangePoints, SeveralStepsAreComparedWithTheirNeighbours) {
  std::vector<double> values = stepped(200, 50, 0.10);
  for (std::size_t i = 120; i < values.size(); ++i) {
    values[i] /= 1.10;
  }
  const std::vector<FoundStep> steps = find_steps(values);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].index, 50U);
  EXPECT_EQ(steps[0].right_end, 120U);
  EXPECT_EQ(steps[1].index, 120U);
  EXPECT_EQ(steps[1].left_begin, 50U);
  EXPECT_NEAR(steps[1].change, -0.09, 0.01);
}

/// Blocks that meet steps must not pass for correlated neighbours.
TEST(ChangePoints, FindManyStepsInOneSeries) {
  std::size_t found = 0, planted = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> values = stepped(400, 0, 0, seed);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] *= (i / 60) % 2 == 0 ? 1 : 1.08;
    }
    const std::vector<FoundStep> steps = find_steps(values);
    for (std::size_t step = 60; step < values.size(); step += 60) {
      ++planted;
      found += std::any_of(steps.begin(), steps.end(),
                           [step](const FoundStep& one) {
                             return one.index <= step + 2 && step <= one.index + 2;
                           })
                   ? 1
                   : 0;
    }
    all += steps.size();
  }
  EXPECT_GE(found, planted * 95 / 100);
  EXPECT_LE(all, planted * 101 / 100);
}

/// Two clear steps near a small one: 2 % at 1 % noise, 100 points on either side, is some 10
/// errors.
TEST(ChangePoints, RoughHistoriesShowTheirClearStepsOnly) {
  const auto is_shown = [](double others, double change, std::uint64_t seed) {
    std::vector<double> values = stepped(400, 300, change, seed);
    for (std::size_t i = 100; i < values.size(); ++i) {
      values[i] *= i < 200 ? 1 + others : (1 + others) * (1 + others);
    }
    return std::ranges::any_of(find_steps(values), [](const FoundStep& one) {
      return one.index <= 305 && one.index >= 295;
    });
  };
  int small = 0, small_alone = 0, large = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    small += is_shown(0.3, 0.02, seed) ? 1 : 0;
    small_alone += is_shown(0, 0.02, seed) ? 1 : 0;
    large += is_shown(0.3, 0.05, seed) ? 1 : 0;
  }
  EXPECT_LE(small, 5);
  EXPECT_GE(small_alone, 45);
  EXPECT_EQ(large, 50);
}

TEST(ChangePoints, PositionsCountGaps) {
  std::vector<double> values = stepped(100, 60, 0.10);
  values.insert(values.begin() + 60, {kNan, 0.0, -2.0, std::numeric_limits<double>::infinity()});
  values.insert(values.begin() + 10, kNan);
  const std::vector<FoundStep> steps = find_steps(values);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].index, 65U);
  EXPECT_EQ(steps[0].previous, 60U);
  EXPECT_EQ(steps[0].right_end, 105U);
}

TEST(ChangePoints, LoneSpikesAreNoSteps) {
  std::vector<double> values = stepped(100, 0, 0);
  for (const std::size_t spike : {3U, 30U, 31U, 77U, 99U}) {
    values[spike] *= 5;
  }
  EXPECT_TRUE(find_steps(values).empty());
}

TEST(ChangePoints, IgnoreNegligibleSteps) {
  std::vector<double> values(200, 1.0);
  std::fill(values.begin() + 100, values.end(), 1.009);
  EXPECT_TRUE(find_steps(values).empty());
  std::fill(values.begin() + 100, values.end(), 1.02);
  ASSERT_EQ(find_steps(values).size(), 1U);
  EXPECT_EQ(find_steps(values)[0].index, 100U);
}

TEST(ChangePoints, ShortAndEmptySeriesHaveNone) {
  for (std::size_t points = 0; points <= 5; ++points) {
    EXPECT_TRUE(find_steps(std::vector<double>(points, 1.0)).empty()) << points;
    EXPECT_TRUE(find_steps(std::vector<double>(points, kNan)).empty()) << points;
  }
  EXPECT_TRUE(find_steps(std::vector<double>(50, 1.0)).empty());
  EXPECT_TRUE(find_steps(std::vector<double>(50, 0.0), Scale::linear).empty());
}

TEST(ChangePoints, FindAStepInFewPoints) {
  const std::vector<FoundStep> steps = find_steps(stepped(30, 20, 0.10));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].index, 20U);
}

TEST(ChangePoints, AcceptExtremeValues) {
  std::vector<double> values = stepped(100, 50, 0.10);
  for (double& value : values) {
    value *= 1e-297;
  }
  EXPECT_EQ(find_steps(values).size(), 1U);
  values.assign(100, 1e-300);
  std::fill(values.begin() + 50, values.end(), 1e300);
  for (const Scale scale : {Scale::log, Scale::linear}) {
    for (const FoundStep& step : find_steps(values, scale)) {
      EXPECT_EQ(step.index, 50U);
    }
  }
}

TEST(ChangePoints, AcceptZerosAndNegativesOnTheLinearScale) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> noise(-5, 0.1);
  std::vector<double> values(120);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = noise(random) + (i >= 70 ? 1 : 0);
  }
  EXPECT_TRUE(find_steps(values).empty()) << "on the log scale all of them are gaps";
  const std::vector<FoundStep> steps = find_steps(values, Scale::linear);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].index, 70U);
  EXPECT_NEAR(steps[0].change, 0.2, 0.02);
}

TEST(ChangePoints, UnitsDoNotMatter) {
  std::vector<double> values = stepped(150, 90, 0.05);
  const std::size_t index = find_steps(values).at(0).index;
  for (double& value : values) {
    value *= 1e9;
  }
  EXPECT_EQ(find_steps(values).at(0).index, index);
}

/// Not quadratic, whatever the series: noise, many steps, and modes that come and go.
TEST(ChangePoints, AMillionPointsTakeSeconds) {
  std::mt19937_64 random(9);
  constexpr std::size_t kPoints = 1'000'000;
  std::vector<double> noise = noise_of(Nature::white, kPoints, 0.01, random);
  EXPECT_LE(find_steps(times(noise)).size(), 10U);
  for (std::size_t i = 0; i < kPoints; ++i) {
    noise[i] += (i / 1000) % 2 == 0 ? 0 : 0.1;
  }
  EXPECT_NEAR(static_cast<double>(find_steps(times(noise)).size()), 999, 20);
  find_steps(times(noise_of(Nature::sticky, kPoints, 0.01, random)));
}

std::optional<double> visible_of(const std::vector<double>& values) {
  return visible_step(fit_levels(searched_values(values, Scale::log), Scale::log), 10, Scale::log);
}

/// The share of 100 series with so many points in which the step that visible_step tells of them,
/// times `share`, is found 10 points from the end. `last`: so many of them follow a step of 30 %;
/// 0: there is none.
double share_seen(Nature nature, std::size_t points, double share, std::size_t last = 0) {
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<double> noise = noise_of(nature, points, 0.01, random);
    for (std::size_t i = points - last; i < points; ++i) {
      noise[i] += 0.3;
    }
    const std::optional<double> visible = visible_of(times(noise));
    const std::size_t of_level = last == 0 ? points : last;
    const std::size_t step = points - std::min<std::size_t>(10, of_level / 2);
    const std::vector<FoundStep> found = find_steps(times(noise, step, share * visible.value()));
    seen += std::ranges::any_of(
        found, [&](const FoundStep& one) { return one.index + 5 > step && one.change > 0; });
  }
  return seen / 100.0;
}

TEST(VisibleStep, IsFoundInMostSeriesAndHalfOfItInFew) {
  for (const std::size_t points : {20U, 60U, 120U, 300U}) {
    EXPECT_GE(share_seen(Nature::white, points, 1), 0.8) << points;
    EXPECT_LE(share_seen(Nature::white, points, 0.5), 0.25) << points;
  }
  for (const Nature nature : all_natures()) {
    EXPECT_GE(share_seen(nature, 120, 1), 0.6) << name_of(nature);
  }
}

TEST(VisibleStep, DependsOnTheLastLevel) {
  for (const std::size_t last : {12U, 20U, 60U}) {
    EXPECT_GE(share_seen(Nature::white, 120, 1, last), 0.7) << last;
    EXPECT_LE(share_seen(Nature::white, 120, 0.5, last), 0.25) << last;
  }
}

TEST(VisibleStep, IsLargerWhereHistoryIsRough) {
  const auto visible_after = [](std::size_t steps) {
    std::mt19937_64 random(1);
    std::vector<double> noise = noise_of(Nature::white, 300, 0.01, random);
    for (std::size_t i = 0; i < noise.size(); ++i) {
      noise[i] += i >= 200 && steps > 0 ? 0.3 : 0;
      noise[i] += i >= 100 && steps > 1 ? 0.3 : 0;
    }
    return visible_of(times(noise)).value();
  };
  EXPECT_NEAR(visible_after(1), visible_after(0), 0.01);
  EXPECT_GT(visible_after(2), 1.3 * visible_after(1));
}

TEST(VisibleStep, IsOnePerCentAtLeastAndNoneOfAFewPoints) {
  EXPECT_EQ(visible_of(std::vector<double>(100, 1.0)), 0.01);
  EXPECT_EQ(visible_of(std::vector<double>(19, 1.0)), std::nullopt);
  EXPECT_EQ(visible_of(times(std::vector<double>(100, 0), 95, 0.3)), std::nullopt);
}

}  // namespace
}  // namespace perf::test

#include "analyzer/trend/first_nights.h"

#include <gtest/gtest.h>

#include "analyzer/detector/change_points.h"
#include "analyzer/trend/trend.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

TEST(PointsWanted, GrowWithTheNoiseAndShrinkWithTheStep) {
  const std::size_t quiet = points_wanted(0.005, 0.10);
  const std::size_t noisy = points_wanted(0.04, 0.10);
  EXPECT_GE(quiet, 8U);
  EXPECT_LE(quiet, 20U) << "a step of twenty times the noise";
  EXPECT_TRUE(noisy == 0 || noisy > quiet) << noisy;
  EXPECT_LE(points_wanted(0.01, 0.50), points_wanted(0.01, 0.05));
}

TEST(PointsWanted, AreNotKnownWhereNoiseHidesTheStep) {
  EXPECT_EQ(points_wanted(0.5, 0.01), 0U);
}

/// `series` of white noise, as on so many nights.
scripted::History first_nights(std::size_t nights, std::size_t series, double noise,
                               std::uint64_t seed) {
  scripted::History history = scripted::history_of(nights);
  for (std::size_t i = 0; i < series; ++i) {
    scripted::add_series(history, "w" + std::to_string(i),
                         scripted::noisy(nights, noise, 1000 * seed + i));
  }
  return history;
}

constexpr int kSuites = 20;

struct Claims {
  int now = 0, in_week = 0;  ///< made
  int found_now = 0, found_in_week = 0;
  int half_now = 0, half_in_week = 0;  ///< steps of half the size, found
};

bool is_found(std::size_t points, double noise, double change, std::uint64_t seed) {
  return !find_steps(scripted::stepped(scripted::noisy(points, noise, seed),
                                       points - std::min<std::size_t>(4, points / 2), change))
              .empty();
}

/// What reports on so many suites claim can be found, planted in other series of the same noise.
Claims claims_of(std::size_t nights, std::size_t series, double noise) {
  Claims claims;
  for (int suite = 1; suite <= kSuites; ++suite) {
    const auto seed = static_cast<std::uint64_t>(suite);
    const scripted::History history = first_nights(nights, series, noise, seed);
    TrendInputs inputs = history.inputs();
    inputs.replays = false;
    const TrendReport report = trend(inputs);
    if (report.findable_now) {
      ++claims.now;
      claims.found_now += is_found(nights, noise, *report.findable_now, seed);
      claims.half_now += is_found(nights, noise, *report.findable_now / 2, seed);
    }
    if (report.findable_in_week) {
      ++claims.in_week;
      claims.found_in_week += is_found(nights + 7, noise, *report.findable_in_week, seed);
      claims.half_in_week += is_found(nights + 7, noise, *report.findable_in_week / 2, seed);
    }
  }
  return claims;
}

TEST(FirstNights, NameStepsThatAreFound) {
  for (const auto& [nights, series, noise] :
       {std::tuple(3U, 1U, 0.01), std::tuple(6U, 1U, 0.03), std::tuple(8U, 20U, 0.05),
        std::tuple(15U, 3U, 0.01)}) {
    const Claims claims = claims_of(nights, series, noise);
    const std::string what = std::to_string(nights) + " nights, " + std::to_string(series) +
                             " series, noise " + std::to_string(noise);
    EXPECT_EQ(claims.now, nights < 8 ? 0 : kSuites) << what;
    EXPECT_EQ(claims.in_week, kSuites) << what;
    EXPECT_GE(claims.found_now, 0.8 * claims.now) << what;
    EXPECT_GE(claims.found_in_week, 0.8 * kSuites) << what;
    EXPECT_LE(claims.half_now + claims.half_in_week, 0.8 * (claims.now + claims.in_week)) << what;
  }
}

TEST(FirstNights, AreOver) {
  EXPECT_FALSE(trend(first_nights(2, 5, 0.01, 1).inputs()).findable_in_week);
  EXPECT_FALSE(trend(first_nights(20, 5, 0.01, 1).inputs()).findable_in_week);
}

// A history that was filled in on the first day says nothing of the nights to come.
TEST(FirstNights, CountTheCommitsOfANight) {
  const auto in_week = [](std::size_t a_night) {
    scripted::History history = first_nights(10, 20, 0.01, 1);
    history.recorded.runs.clear();
    for (std::size_t i = 0; i < 10; ++i) {
      const std::size_t day = i < 4 ? 1 : 2 + (i - 4) / a_night;
      history.recorded.runs.push_back(
          {"run", "2026-01-0" + std::to_string(day) + "T00:00:00Z", 0, {}});
    }
    for (RecordedSeries& series : history.recorded.series) {
      for (RecordedValue& value : series.values) {
        value.run = value.commit;
      }
    }
    return trend(history.inputs()).findable_in_week.value();
  };
  EXPECT_LT(in_week(3), in_week(1));
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "reporter/svg/drawing.h"

namespace perf::reporter::svg {
namespace {

TEST(Thinning, KeepsSinglePoints) {
  const std::vector<Stroke> strokes = thinned({{0.2, 5}, {3.1, 7}, {9.9, 1}}, 1.5, 8);
  ASSERT_EQ(strokes.size(), 3U);
  EXPECT_EQ(strokes[1].x, 3.1);
  EXPECT_EQ(strokes[1].low, 7);
  EXPECT_EQ(strokes[1].high, 7);
}

TEST(Thinning, MakesOneStrokeOfAColumn) {
  const std::vector<Stroke> strokes = thinned({{3.0, 5}, {3.2, 9}, {3.9, 2}, {4.0, 8}}, 1, 8);
  ASSERT_EQ(strokes.size(), 2U);
  EXPECT_EQ(strokes[0].x, 3.5);
  EXPECT_EQ(strokes[0].low, 2);
  EXPECT_EQ(strokes[0].high, 9);
  EXPECT_EQ(strokes[1].low, 8);
}

TEST(Thinning, SeparatesOutliers) {
  const std::vector<Stroke> strokes = thinned({{3.0, 5}, {3.2, 90}, {3.9, 2}}, 1, 8);
  ASSERT_EQ(strokes.size(), 2U);
  EXPECT_EQ(strokes[0].low, 2);
  EXPECT_EQ(strokes[0].high, 5);
  EXPECT_EQ(strokes[1].low, 90);
  EXPECT_EQ(strokes[1].high, 90);
}

TEST(Thinning, IsEmptyWithoutData) {
  EXPECT_TRUE(thinned({}, 2, 8).empty());
}

TEST(Thinning, KeepsTheExtremesOfEachColumn) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const double column = 0.5 + round % 4;
    std::vector<Point> points;
    double x = static_cast<double>(random() % 100);
    for (int i = 0; i < 500; ++i) {
      x += static_cast<double>(random() % 1000) / 700;
      points.push_back({x, static_cast<double>(random() % 10000) - 5000});
    }
    std::map<double, std::set<double>> wanted;
    for (const Point& point : points) {
      wanted[std::floor(point.x / column)].insert(point.y);
    }
    std::map<double, std::vector<Stroke>> drawn;
    for (const Stroke& stroke : thinned(points, column, 100)) {
      drawn[std::floor(stroke.x / column)].push_back(stroke);
    }
    ASSERT_EQ(drawn.size(), wanted.size()) << "a stroke stays in its column";
    for (const auto& [at, values] : wanted) {
      const std::vector<Stroke>& strokes = drawn[at];
      ASSERT_FALSE(strokes.empty());
      EXPECT_EQ(strokes.front().low, *values.begin());
      EXPECT_EQ(strokes.back().high, *values.rbegin());
      for (const double value : values) {
        EXPECT_TRUE(std::any_of(strokes.begin(), strokes.end(), [value](const Stroke& stroke) {
          return stroke.low <= value && value <= stroke.high;
        }));
      }
    }
  }
}

}  // namespace
}  // namespace perf::reporter::svg

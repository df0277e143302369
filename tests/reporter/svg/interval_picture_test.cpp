#include <gtest/gtest.h>

#include <set>

#include "reporter/svg/pictures.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"
#include "tests/reporter/svg/drawn.h"

namespace perf::reporter::svg {
namespace {

using samples::drawn;
using samples::drawn_with;
using samples::step_time;
using samples::texts_of;

const Axis kAxis{-0.2, 0.3, 0, 500};  // 10 units a percent, zero at 200

TEST(IntervalCell, DrawsBandIntervalAndEstimate) {
  Comparison row = step_time("a", 0.1, 0.15, 0.02, Verdict::regressed);
  row.interval = Interval{0.12, 0.19};
  const std::string svg = interval_cell(row, kAxis);
  const auto band = drawn_with(svg, "rect", "band").at(0);
  EXPECT_NEAR(band.number("x"), 200 - 1000 * (1 - 1 / 1.1), 0.06);
  EXPECT_NEAR(band.number("x") + band.number("width"), 300, 0.06);
  EXPECT_DOUBLE_EQ(drawn_with(svg, "line", "axis").at(0).number("x1"), 200);
  const auto interval = drawn_with(svg, "line", "strong").at(0);
  EXPECT_DOUBLE_EQ(interval.number("x1"), 320);
  EXPECT_DOUBLE_EQ(interval.number("x2"), 390);
  const auto mark = drawn(svg, "rect").back();
  EXPECT_DOUBLE_EQ(mark.number("x") + mark.number("width") / 2, 350);
  EXPECT_EQ(drawn_with(svg, "g", "regressed").size(), 1u);
}

TEST(IntervalCell, DrawsACertainChangeBeyondTheBand) {
  for (const bool down : {true, false}) {
    Comparison row = step_time("a", 1, down ? -0.1735 : 0.21, 0, Verdict::improved);
    row.threshold = 0.2;  // the band: -16.7 to +20
    row.interval = down ? Interval{-0.18, -0.167} : Interval{0.201, 0.22};
    const std::string svg = interval_cell(row, kAxis);
    const auto band = drawn_with(svg, "rect", "band").at(0);
    const auto interval = drawn_with(svg, "line", "strong").at(0);
    if (down) {
      EXPECT_LT(interval.number("x2"), band.number("x"));
    } else {
      EXPECT_GT(interval.number("x1"), band.number("x") + band.number("width"));
    }
    EXPECT_TRUE(contains(drawn(svg, "title").at(0).text, "(threshold -16.7 % or +20 %)"));
  }
}

TEST(IntervalCell, DistinguishesVerdictsByMark) {
  const auto shape = [](Verdict verdict) {
    const std::string svg = interval_cell(step_time("a", 0.1, 0, 0.01, verdict), kAxis);
    return std::to_string(drawn(svg, "rect").size()) +
           std::to_string(drawn(svg, "polygon").size()) +
           std::to_string(drawn(svg, "circle").size());
  };
  const std::set<std::string> shapes{shape(Verdict::regressed), shape(Verdict::improved),
                                     shape(Verdict::unchanged), shape(Verdict::inconclusive)};
  EXPECT_EQ(shapes.size(), 4u);
}

TEST(IntervalCell, HasAnArrowForValuesBeyondTheScale) {
  const auto polygons = [](double change, double half) {
    return drawn(interval_cell(step_time("a", 0.1, change, half, Verdict::regressed), kAxis),
                 "polygon");
  };
  EXPECT_TRUE(polygons(0.15, 0.02).empty());
  const auto right = polygons(2.5, 0.1);
  ASSERT_EQ(right.size(), 1u);
  EXPECT_DOUBLE_EQ(right[0].places()[1].x, 500);
  const auto left = polygons(-0.9, 0.05);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_DOUBLE_EQ(left[0].places()[1].x, 0);
  EXPECT_EQ(polygons(0, 0.9).size(), 2u) << "an interval wider than the picture";
}

TEST(IntervalCell, PointsUpwardsForAChangeFromZero) {
  Comparison row = step_time("a", 0, 0, 0, Verdict::regressed);
  row.change.reset();
  row.interval.reset();
  row.head->median = 0.1;
  const auto arrows = drawn(interval_cell(row, kAxis), "polygon");
  ASSERT_EQ(arrows.size(), 1u);
  EXPECT_DOUBLE_EQ(arrows[0].places()[1].x, 500);
}

TEST(IntervalCell, ShowsOnlyTheBandWithoutAChange) {
  const std::string svg =
      interval_cell(samples::unmatched("a", Verdict::failed, "it crashed"), kAxis);
  EXPECT_EQ(drawn(svg, "rect").size(), 1u);
  EXPECT_TRUE(drawn(svg, "circle").empty());
  EXPECT_TRUE(contains(drawn(svg, "title").at(0).text, "failed"));
}

TEST(ChangeAxis, CoversBandAndIntervals) {
  const Axis axis = change_axis({step_time("a", 1, 0.01, 0.02, Verdict::unchanged),
                                 step_time("b", 1, 0.22, 0.05, Verdict::regressed)},
                                0, 100);
  EXPECT_LE(axis.low, -0.1);
  EXPECT_GE(axis.high, 0.22 + 0.05 * 0.9);
  EXPECT_LT(axis.high, 0.4);
}

TEST(ChangeAxis, IgnoresOneFarOutlier) {
  std::vector<Comparison> rows;
  for (int i = 0; i < 9; ++i) {
    rows.push_back(step_time("a", 1, 0.01, 0.02, Verdict::unchanged));
  }
  rows.push_back(step_time("b", 1, 40, 1, Verdict::regressed));
  EXPECT_LT(change_axis(rows, 0, 100).high, 0.6);
  std::vector<Comparison> all(10, step_time("b", 1, 40, 1, Verdict::regressed));
  EXPECT_GT(change_axis(all, 0, 100).high, 40) << "but where most are far, they are the picture";
}

TEST(ChangeAxis, ShowsChangedValuesWithinTheScale) {
  std::vector<Comparison> rows(18, step_time("a", 1, 0.05, 0.3, Verdict::inconclusive));
  rows.push_back(step_time("b", 1, 1.55, 0, Verdict::regressed));
  rows.back().interval = Interval{0.19, 3.59};
  rows.push_back(step_time("b", 1, -0.8, 0, Verdict::improved));
  rows.back().interval = Interval{-0.9, -0.5};
  const Axis axis = change_axis(rows, 0, 100);
  EXPECT_GT(axis.high, 3.59);
  EXPECT_LT(axis.low, -0.9);
  rows.back() = step_time("c", 1, 0.2, 0, Verdict::regressed);
  rows.back().interval = Interval{0.06, 90};
  EXPECT_LT(change_axis(rows, 0, 100).high, 4) << "an interval far wider than its change";
}

TEST(IntervalPicture, HasARowPerComparisonForFilters) {
  const Report report = samples::mixed();
  const std::string svg = interval_picture(report.comparisons);
  const auto rows = drawn_with(svg, "g", "row");
  ASSERT_EQ(rows.size(), report.comparisons.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].attributes.at("data-name"), report.comparisons[i].workload);
    EXPECT_EQ(rows[i].attributes.at("data-verdict"), to_string(*report.comparisons[i].verdict));
  }
  const std::string texts = texts_of(svg);
  EXPECT_TRUE(contains_all(texts, {"+8.1 % [-0.2, +15.6]", "missing"}));
  EXPECT_TRUE(contains(texts, "unchanged 11")) << "the key counts";
  samples::expect_within(svg, "mixed");
}

TEST(IntervalPicture, ShortensLongNamesWithATooltip) {
  const std::string name = "family/" + std::string(300, 'x') + "/end";
  const std::string svg = interval_picture({step_time(name, 1, 0, 0.01, Verdict::unchanged)});
  EXPECT_FALSE(contains(texts_of(svg), name));
  EXPECT_TRUE(contains(drawn(svg, "title").at(0).text, name));
}

TEST(IntervalPicture, KeepsShortenedNamesDistinct) {
  std::vector<Comparison> rows;
  for (const std::string kind : {"batched", "cached", "plain"}) {
    rows.push_back(
        step_time("inference/decoder_of_eight_layers/" + kind + "_generate_with_sampling", 1, 0,
                  0.01, Verdict::unchanged));
  }
  for (const std::string& svg : {interval_picture(rows), bar_picture(rows, kStepTime)}) {
    const std::string texts = texts_of(svg);
    for (const std::string end : {"tched", "ached", "plain"}) {
      EXPECT_TRUE(contains(texts, end + "_generate_with_sampling\n"));
    }
  }
}

TEST(IntervalPicture, IsEmptyWithoutData) {
  EXPECT_EQ(interval_picture({}), "");
}

TEST(IntervalPicture, StaysSmallForFiveHundredRows) {
  EXPECT_LT(interval_picture(samples::many(500).comparisons).size(), 600U * 1024);
}

}  // namespace
}  // namespace perf::reporter::svg

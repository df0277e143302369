#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "reporter/render.h"
#include "reporter/svg/pictures.h"
#include "reporter/trend/histories.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"
#include "tests/reporter/svg/drawn.h"

namespace perf::reporter::svg {
namespace {

using samples::Drawn;
using samples::drawn;
using samples::drawn_with;
using samples::texts_of;

std::string tooltips_of(const std::string& svg) {
  std::string texts;
  for (const Drawn& title : drawn(svg, "title")) {
    texts += title.text + "\n";
  }
  return texts;
}

std::string picture_of(const TrendReport& report, std::size_t series) {
  return history_picture(Histories(report).of(report.series.at(series)), false);
}

std::size_t strokes_of(const std::string& svg, const std::string& side) {
  std::size_t count = 0;
  for (const Drawn& path : drawn_with(svg, "path", side)) {
    count += path.places().size();
  }
  return count;
}

/// One series of these values, a commit each.
TrendReport history_of(const std::vector<double>& values) {
  TrendReport report = samples::long_history(1, std::max<std::size_t>(values.size(), 2));
  report.series[0].change_points.clear();
  report.series[0].points = {};
  for (std::size_t i = 0; i < values.size(); ++i) {
    report.series[0].points.push_back({static_cast<std::uint32_t>(i), 1, values[i]});
  }
  return report;
}

TEST(HistoryPicture, DrawsEveryPointIfThereIsRoom) {
  EXPECT_EQ(strokes_of(picture_of(samples::moved_history(), 0), "base"), 60U);
}

TEST(HistoryPicture, DrawsAtMostAStrokePerColumn) {
  const std::size_t strokes = strokes_of(picture_of(samples::nights(1, 5000), 0), "base");
  EXPECT_GT(strokes, 400U);
  EXPECT_LT(strokes, 1800U) << "of 5000 points";
}

TEST(HistoryPicture, DrawsLevelsAndNoiseOnBothSidesOfAStep) {
  const std::string svg = picture_of(samples::moved_history(), 0);
  const std::vector<Drawn> levels = drawn_with(svg, "line", "strong");
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_GT(levels[0].number("y1"), levels[1].number("y1")) << "a step up";
  EXPECT_EQ(levels[0].number("y1"), levels[0].number("y2"));
  EXPECT_LT(levels[0].number("x2"), levels[1].number("x1"));
  const std::vector<Drawn> bands = drawn_with(svg, "rect", "band");
  ASSERT_EQ(bands.size(), 2U);
  EXPECT_NEAR(bands[0].number("y") + bands[0].number("height") / 2, levels[0].number("y1"), 0.2);
}

TEST(HistoryPicture, ShowsCommitAndValuesOfAStep) {
  const std::string svg = picture_of(samples::moved_history(), 0);
  EXPECT_TRUE(contains(texts_of(svg), "+12.4 % new"));
  EXPECT_TRUE(
      contains(tooltips_of(svg),
               "new alert: 412 ms -&gt; 463 ms at 210fedcba987 Use a map (Ada, 2026-01-31)"))
      << tooltips_of(svg);
}

TEST(HistoryPicture, DistinguishesStepsByShape) {
  const TrendReport report = samples::moved_history();
  const std::string worse = picture_of(report, 0), better = picture_of(report, 3);
  EXPECT_EQ(drawn_with(worse, "polygon", "regressed").size(), 1U);
  EXPECT_TRUE(drawn_with(worse, "polygon", "paper").empty()) << "filled: it is new";
  EXPECT_EQ(drawn_with(picture_of(report, 1), "polygon", "paper").size(), 1U) << "hollow: known";
  EXPECT_EQ(drawn_with(better, "circle", "improved").size(), 1U);
  EXPECT_GE(drawn_with(better, "polygon", "inconclusive").size(), 1U) << "a suspect";
}

TEST(HistoryPicture, MarksBaselinesMachineEventsAndSlopes) {
  const TrendReport report = samples::moved_history();
  const std::string texts = texts_of(picture_of(report, 0));
  EXPECT_TRUE(contains(texts, "release"));
  const std::string tooltips = tooltips_of(picture_of(report, 0));
  EXPECT_TRUE(contains(tooltips, "machine event: 5 of 6 series of machine 1f2e3d4c"));
  EXPECT_TRUE(contains(tooltips, "baseline release: "));
  EXPECT_EQ(drawn_with(picture_of(report, 2), "polyline", "inconclusive").size(), 1U);
  EXPECT_FALSE(contains(tooltips_of(picture_of(report, 5)), "moved together"))
      << "an anchored series has no machine";
}

TEST(HistoryPicture, EndsTheLevelAtASlope) {
  const std::string svg = picture_of(samples::moved_history(), 2);
  const std::vector<Drawn> levels = drawn_with(svg, "line", "strong");
  const std::vector<Drawn> slopes = drawn_with(svg, "polyline", "inconclusive");
  ASSERT_EQ(levels.size(), 1U);
  ASSERT_EQ(slopes.size(), 1U);
  EXPECT_LT(levels[0].number("x2"), slopes[0].places().front().x);
}

TEST(HistoryPicture, KeepsTextsWithinThePicture) {
  const TrendReport report = samples::nights(40, 240);
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    for (const Drawn& text : drawn(picture_of(report, i), "text")) {
      if (text.attributes.count("text-anchor") == 0) {
        const double width = 6.8 * static_cast<double>(text.text.size());  // bold
        EXPECT_LE(text.number("x") + width, kHistoryWidth) << text.text;
      }
    }
  }
}

TEST(HistoryPicture, ShowsOtherMachinesAndTheirStarts) {
  TrendReport report = samples::moved_history();
  TrendSeries old = report.series[0];
  old.key.fingerprint = "5566778899aabbcc";
  old.change_points.clear();
  old.points = TrendPoints::Points(old.points.begin(), old.points.begin() + 20);
  report.series[0].points.drop(20);
  report.series[0].change_points[0].index -= 20;
  report.series.push_back(old);
  const std::string svg = picture_of(report, 0);
  EXPECT_EQ(strokes_of(svg, "axis"), 20U);
  EXPECT_TRUE(contains(tooltips_of(svg), "machine 1f2e3d4c from here on"));
  EXPECT_FALSE(contains(tooltips_of(svg), "machine 55667788 from here on")) << "it was the first";
}

TEST(HistoryPicture, ShowsEachDayOnce) {
  TrendReport report = history_of({1, 2, 3, 4, 5, 6, 7, 8});
  const auto days = [&report] {
    std::vector<std::string> names;
    for (const HistorySign& day : Histories(report).of(report.series[0]).days) {
      names.push_back(day.name);
    }
    return names;
  };
  for (Revision& commit : report.commits) {
    commit.committed_at = 1'700'000'000;
  }
  EXPECT_EQ(days(), (std::vector<std::string>{"2023-11-14"}));
  for (std::size_t i = 4; i < report.commits.size(); ++i) {
    report.commits[i].committed_at = 1'700'100'000;
  }
  EXPECT_EQ(days(), (std::vector<std::string>{"2023-11-14", "2023-11-16"}));
  samples::expect_within(picture_of(report, 0), "two days");
}

TEST(HistoryPicture, ShowsOutliersAtTheBorder) {
  std::vector<double> values(100, 1.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += 0.01 * static_cast<double>(i % 5);
  }
  values[30] = 50;
  values[60] = -20;
  const std::string svg = picture_of(history_of(values), 0);
  EXPECT_EQ(strokes_of(svg, "base"), 98U);
  EXPECT_EQ(drawn_with(svg, "polygon", "base").size(), 2U);
}

TEST(HistoryPicture, TakesAnyValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> all{{},
                                             {0},
                                             {1},
                                             {0, 0, 0},
                                             {5, 5, 5, 5},
                                             {1e-12, 2e-12, 1e-12},
                                             {1e12, 3e12, -1e12},
                                             {nan, 1, infinite, 2, -infinite},
                                             {nan, nan},
                                             {1e300, -1e300, 1e-300},
                                             {-3, -2, -1, 0, 1}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TrendReport report = history_of(all[i]);
    samples::expect_within(picture_of(report, 0), "values " + std::to_string(i));
    samples::expect_within(history_thumbnail(Histories(report).of(report.series[0])),
                           "small, values " + std::to_string(i));
  }
}

TEST(HistoryPicture, StaysWithinThePicture) {
  const TrendReport report = samples::nights(60, 300);
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    samples::expect_within(picture_of(report, i), "series " + std::to_string(i));
  }
}

TEST(HistoryPicture, ShowsHostileTextsAsText) {
  std::vector<std::string> svgs;
  for (const std::string& text : samples::hostile_texts()) {
    const TrendReport report = samples::poisoned_history(text);
    svgs.push_back(picture_of(report, 0));
    EXPECT_LT(svgs.back().size(), 30000U) << "a long name must not flood a picture";
  }
  if (!samples::expect_well_formed(svgs, "hostile histories")) {
    GTEST_SKIP() << "no XML parser is installed (Debian package libxml2-utils)";
  }
}

TEST(HistoryPlots, HaveSafeFileNames) {
  std::set<std::string> names;
  for (const char* text : {"parser", "../../etc/passwd", "<script>", ""}) {
    const TrendReport report = samples::poisoned_history(text);
    names.clear();
    for (const Picture& picture : trend_plots(report)) {
      EXPECT_EQ(picture.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-"),
                std::string::npos)
          << picture.name;
      EXPECT_TRUE(names.insert(picture.name).second) << picture.name;
      EXPECT_EQ(picture.svg.rfind("<?xml", 0), 0U);
    }
    EXPECT_EQ(names.size(), report.series.size());
  }
}

}  // namespace
}  // namespace perf::reporter::svg

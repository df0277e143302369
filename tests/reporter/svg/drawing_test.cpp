#include "reporter/svg/drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "reporter/escape/markup.h"
#include "tests/reporter/samples.h"
#include "tests/reporter/svg/drawn.h"

namespace perf::reporter::svg {
namespace {

using samples::drawn;

TEST(Drawing, HasSizeAndLabel) {
  Drawing drawing(100, 50, "A <picture>");
  const auto all = drawn(drawing.str());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].attributes.at("width"), "100");
  EXPECT_EQ(all[0].attributes.at("viewBox"), "0 0 100 50");
  EXPECT_EQ(all[0].attributes.at("aria-label"), "A &lt;picture&gt;");
}

TEST(Drawing, PlacesDots) {
  std::mt19937_64 random(7);
  std::vector<Point> points;
  for (int i = 0; i < 1000; ++i) {
    points.push_back(
        {static_cast<double>(random() % 7000) / 10.3, static_cast<double>(random() % 2000) / 10.7});
  }
  Drawing drawing(700, 200, "dots");
  drawing.dots(points, "base");
  const auto paths = drawn(drawing.str(), "path");
  ASSERT_EQ(paths.size(), 1u);
  const std::vector<Point> places = paths[0].places();
  ASSERT_EQ(places.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(places[i].x, points[i].x, 0.051) << "errors must not add up, at " << i;
    EXPECT_NEAR(places[i].y, points[i].y, 0.051) << i;
  }
}

TEST(Drawing, NeedsFewBytesPerDot) {
  std::vector<Point> points;
  for (int i = 0; i < 2000; ++i) {
    points.push_back({50 + i * 0.15, 100 + 40 * std::sin(i * 1.7)});
  }
  Drawing drawing(350, 200, "dots");
  drawing.dots(points, "base");
  EXPECT_LT(drawing.str().size(), 2000 * 11U);
}

TEST(Drawing, DistinguishesSquaresAndDiscsWithoutColour) {
  Drawing drawing(10, 10, "");
  drawing.dots({{1, 1}}, "base", Dot::round);
  drawing.dots({{1, 1}}, "head", Dot::square);
  const auto paths = drawn(drawing.str(), "path");
  EXPECT_EQ(paths.at(0).attributes.at("stroke-linecap"), "round");
  EXPECT_EQ(paths.at(1).attributes.at("stroke-linecap"), "square");
}

TEST(Drawing, DrawsNonFiniteValuesAtZero) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Drawing drawing(10, 10, "");
  drawing.line({nan, 1}, {INFINITY, -INFINITY}, "axis");
  drawing.dots({{nan, nan}, {3, 4}}, "");
  const std::string svg = drawing.str();
  const auto line = drawn(svg, "line").at(0);
  EXPECT_EQ(line.number("x1"), 0);
  EXPECT_EQ(line.number("x2"), 0);
  EXPECT_EQ(drawn(svg, "path").at(0).places().at(1).y, 4);
}

TEST(Drawing, EscapesEveryText) {
  std::vector<std::string> pictures;
  for (const std::string& text : samples::hostile_texts()) {
    Drawing drawing(10, 10, text);
    drawing.begin_group("row", text, {{"data-name", text}});
    drawing.text({1, 1}, text, "muted");
    drawing.rectangle({1, 1}, 1, 1, "base", text);
    drawing.circle({1, 1}, 1, "base", text);
    drawing.end_group();
    pictures.push_back(drawing.str());
    const auto all = drawn(pictures.back());
    EXPECT_EQ(all.size(), text.empty() ? 5u : 8u) << "no element made by " << text.substr(0, 80);
    EXPECT_EQ(drawn(pictures.back(), "text").at(0).text, xml_text(text));
  }
  if (!samples::expect_well_formed(pictures, "hostile")) {
    GTEST_SKIP() << "xmllint is not installed (Debian package libxml2-utils)";
  }
}

}  // namespace
}  // namespace perf::reporter::svg

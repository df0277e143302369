#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using test::expect_golden;

/// What the page says, without style and scripts.
std::string main_of(const TrendReport& report) {
  const std::string page = render_html(report);
  const std::size_t begin = page.find("<main>");
  const std::size_t end = page.find("</main>");
  EXPECT_LT(begin, end);
  return page.substr(begin, end + 8 - begin);
}

TEST(TrendPage, MatchesItsGolden) {
  expect_golden("trend_first_night.html", main_of(samples::first_night()) + "\n");
}

TEST(TrendPage, BeginsWithNewAlertsAndPictures) {
  const std::string page = main_of(samples::moved_history());
  EXPECT_EQ(occurrences(page, "<article class=\"alert\">"), 3U);
  const std::size_t headline = page.find("3 new alerts"), alert = page.find("<article");
  const std::size_t picture = page.find("<svg"), known = page.find("<strong>known</strong>");
  const std::size_t list = page.find("All series"), folded = page.find("All findings");
  EXPECT_LT(headline, alert);
  EXPECT_LT(alert, picture);
  EXPECT_LT(picture, known);
  EXPECT_LT(known, list);
  EXPECT_LT(list, folded);
}

TEST(TrendPage, DrawsOnePictureOfASeriesWithSeveralAlerts) {
  const std::string page = main_of(samples::moved_history());
  const std::string alerts = page.substr(0, page.rfind("</article>"));
  EXPECT_EQ(occurrences(alerts, "<svg"), 2U) << "the slope and the drift are of one series";
}

TEST(TrendPage, ListsEverySeriesWithASmallAndALargePicture) {
  const TrendReport report = samples::nights(40, 100);
  const std::string page = main_of(report);
  EXPECT_EQ(occurrences(page, "<details class=\"series\""), 40U);
  EXPECT_EQ(occurrences(page, "class=\"thumbnail\"><svg"), 40U);
  const std::string list = page.substr(page.find("All series"));
  EXPECT_EQ(occurrences(list, "<svg"), 80U);
  EXPECT_EQ(occurrences(list, "<script type=\"application/json\">"), 40U);
}

TEST(TrendPage, ListsTheMostUrgentSeriesFirst) {
  const std::string page = main_of(samples::moved_history());
  std::vector<std::size_t> places;
  for (const char* state : {"new", "known", "machine event", "refuted", "over"}) {
    places.push_back(page.find("data-state=\"" + std::string(state) + "\""));
    EXPECT_NE(places.back(), std::string::npos) << state;
  }
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
}

TEST(TrendPage, ReportsThatNothingWasMeasured) {
  const std::string page = main_of(samples::empty_history());
  EXPECT_FALSE(contains(page, "All series"));
  EXPECT_FALSE(contains(page, "Legend of the pictures"));
  EXPECT_TRUE(contains(page, "<h1>"));
}

TEST(TrendPage, IsSmallEnoughToBeMailed) {
  EXPECT_LT(render_html(samples::nights(500, 2000)).size(), 15000000U);
}

/// Elements that the page has, in order: what a hostile name must not add to.
std::string shape_of(const std::string& page) {
  std::string tags;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    tags += page.substr(at, page.find_first_of(" >", at) - at) + "\n";
  }
  return tags;
}

TEST(TrendPage, KeepsItsShapeForHostileNames) {
  const std::string harmless = shape_of(main_of(samples::poisoned_history("harmless text")));
  for (const std::string& text : samples::hostile_texts()) {
    const std::string page = main_of(samples::poisoned_history(text));
    EXPECT_EQ(occurrences(page, "<script"), 7U) << text.substr(0, 100);
    EXPECT_EQ(occurrences(page, "<h1"), 1U) << text.substr(0, 100);
    EXPECT_FALSE(contains(page, "<img"));
    EXPECT_EQ(occurrences(page, "<svg"), occurrences(harmless, "<svg")) << text.substr(0, 100);
  }
}

}  // namespace
}  // namespace perf

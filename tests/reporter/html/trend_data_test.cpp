#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "reporter/escape/visible.h"
#include "reporter/html/document.h"
#include "reporter/svg/pictures.h"
#include "tests/reporter/samples.h"

namespace perf::reporter::html {
namespace {

using Json = nlohmann::json;

std::string data_of(const TrendReport& report, std::size_t series) {
  const Histories histories(report);
  return series_data(histories, report.series.at(series), histories.of(report.series.at(series)));
}

/// (commit, value) as history.js unpacks them.
std::vector<std::pair<std::uint32_t, double>> unpacked(const TrendReport& report,
                                                       std::size_t series) {
  const Json data = Json::parse(data_of(report, series));
  const SeriesHistory history = Histories(report).of(report.series.at(series));
  const svg::Axis axis = svg::history_axes(history).upwards;
  std::vector<std::pair<std::uint32_t, double>> points;
  const Json& runs = data.at("at");
  for (std::size_t run = 0; run < runs.size(); run += 2) {
    for (std::uint32_t i = 0; i < runs[run + 1].get<std::uint32_t>(); ++i) {
      const double share = data.at("values").at(points.size()).get<double>() / 1e5;
      points.emplace_back(runs[run].get<std::uint32_t>() + i,
                          (axis.low + share * (axis.high - axis.low)) * history.scale.factor);
    }
  }
  EXPECT_EQ(points.size(), data.at("values").size());
  return points;
}

TEST(TrendData, HasEveryPointOfEverySeries) {
  const TrendReport report = samples::nights(25, 400);
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    const auto points = unpacked(report, i);
    ASSERT_EQ(points.size(), report.series[i].points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k].first, report.series[i].points[k].commit);
      EXPECT_NEAR(points[k].second / report.series[i].points[k].value, 1, 1e-5);
    }
  }
}

TEST(TrendData, HasOutliersOfAnySize) {
  TrendReport report = samples::quiet_history();
  TrendPoints::Points points(report.series[0].points.begin(), report.series[0].points.end());
  points[3].value = 1e12;
  points[4].value = -1e300;
  report.series[0].points = points;
  const auto read = unpacked(report, 0);
  EXPECT_NEAR(read[2].second / points[2].value, 1, 1e-5);
  EXPECT_NEAR(read[3].second / 1e12, 1, 1e-5);
  EXPECT_NEAR(read[4].second / -1e300, 1, 1e-5);
}

TEST(TrendData, PacksCommitsWithGapsAndOmitsInvalidValues) {
  TrendReport report = samples::quiet_history();
  TrendPoints::Points points(report.series[0].points.begin(), report.series[0].points.end());
  points[3].value = std::numeric_limits<double>::quiet_NaN();
  points.erase(points.begin() + 10, points.begin() + 20);
  points.back().commit = 4000000000;  // the report has no such commit
  report.series[0].points = points;
  const auto read = unpacked(report, 0);
  ASSERT_EQ(read.size(), 48U);
  EXPECT_EQ(read[2].first, 2U);
  EXPECT_EQ(read[3].first, 4U);
  EXPECT_EQ(read[9].first, 20U);
  EXPECT_EQ(read.back().first, 58U);
}

TEST(TrendData, HasUnitLevelsAndCommits) {
  const TrendReport report = samples::moved_history();
  const Json data = Json::parse(data_of(report, 0));
  EXPECT_EQ(data.at("suffix"), " ms");
  ASSERT_EQ(data.at("levels").size(), 2U);
  EXPECT_NEAR(data.at("levels")[0][2].get<double>(), 412, 3) << "in the unit of the suffix";
  const Json line = Json::parse(line_data(Histories(report)));
  EXPECT_EQ(line.at("oid").size(), 60U);
  EXPECT_EQ(line.at("subject").at(30), "Use a map");
  EXPECT_EQ(line.at("day").at(30), "2026-01-31");
  int position = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    position += line.at("at").at(i).get<int>();
    EXPECT_EQ(position, static_cast<int>(report.positions[i]));
  }
}

TEST(TrendData, IsSmall) {
  const TrendReport report = samples::nights(10, 2000);
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    EXPECT_LT(data_of(report, i).size(), report.series[i].points.size() * 8 + 3000);
  }
}

TEST(TrendData, CarriesHostileTextsAsTextAndEndsNoScript) {
  for (const std::string& text : samples::hostile_texts()) {
    const TrendReport report = samples::poisoned_history(text);
    for (const std::string& json : {data_of(report, 0), line_data(Histories(report))}) {
      EXPECT_EQ(json.find_first_of("<>&"), std::string::npos) << text.substr(0, 100);
      const Json data = Json::parse(json);
      EXPECT_LT(json.size(), 60000U) << "a long name must not flood a page";
      if (data.contains("subject")) {
        EXPECT_EQ(data.at("subject").at(0), shortened(one_line(text), 100));
      }
    }
  }
}

}  // namespace
}  // namespace perf::reporter::html

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "reporter/escape/visible.h"
#include "reporter/html/trend_series_list.h"
#include "tests/reporter/hostile_text.h"
#include "tests/reporter/sample_nights.h"
#include "tests/reporter/sample_trends.h"

namespace perf::reporter::html {
namespace {

using Json = nlohmann::json;

std::string data_of(const TrendReport& report, std::size_t series) {
  const Histories histories(report);
  return series_data(histories, report.series.at(series), histories.of(report.series.at(series)));
}

/// (commit, value) as history.js unpacks them.
std::vector<std::pair<std::uint32_t, double>> unpacked(const Json& data) {
  std::vector<std::pair<std::uint32_t, double>> points;
  const Json& runs = data.at("at");
  for (std::size_t run = 0; run < runs.size(); run += 2) {
    for (std::uint32_t i = 0; i < runs[run + 1].get<std::uint32_t>(); ++i) {
      const std::int64_t whole = data.at("base").get<std::int64_t>() +
                                 data.at("values").at(points.size()).get<std::int64_t>();
      points.emplace_back(runs[run].get<std::uint32_t>() + i,
                          std::stod(std::to_string(whole) + "e" + data.at("exponent").dump()));
    }
  }
  EXPECT_EQ(points.size(), data.at("values").size());
  return points;
}

TEST(TrendData, has_every_point_of_every_series) {
  const TrendReport report = samples::nights(25, 400);
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    const auto points = unpacked(Json::parse(data_of(report, i)));
    ASSERT_EQ(points.size(), report.series[i].points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k].first, report.series[i].points[k].commit);
      EXPECT_NEAR(points[k].second / report.series[i].points[k].value, 1, 1e-5);
    }
  }
}

TEST(TrendData, packs_commits_with_gaps_and_leaves_out_what_is_no_number) {
  TrendReport report = samples::quiet_history();
  TrendPoints::Points points(report.series[0].points.begin(), report.series[0].points.end());
  points[3].value = std::numeric_limits<double>::quiet_NaN();
  points.erase(points.begin() + 10, points.begin() + 20);
  points.back().commit = 4000000000;  // none of the report's
  report.series[0].points = points;
  const auto read = unpacked(Json::parse(data_of(report, 0)));
  ASSERT_EQ(read.size(), 48U);
  EXPECT_EQ(read[2].first, 2U);
  EXPECT_EQ(read[3].first, 4U);
  EXPECT_EQ(read[9].first, 20U);
  EXPECT_EQ(read.back().first, 58U);
}

TEST(TrendData, tells_levels_marks_and_surroundings) {
  const TrendReport report = samples::moved_history();
  const Json data = Json::parse(data_of(report, 0));
  EXPECT_EQ(data.at("suffix"), " ms");
  EXPECT_EQ(data.at("levels").size(), 2U);
  EXPECT_EQ(data.at("marks").at(0).at(2), "worse");
  EXPECT_EQ(data.at("marks").at(0).at(3), 1);
  EXPECT_EQ(data.at("marks").at(0).at(0), 60) << "a position, not an index";
  EXPECT_EQ(data.at("pins").at(0).at(1), "release");
  EXPECT_EQ(data.at("events"), Json({0, 1}));
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

TEST(TrendData, is_small) {
  const TrendReport report = samples::nights(10, 2000);
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    EXPECT_LT(data_of(report, i).size(), report.series[i].points.size() * 8 + 3000);
  }
}

TEST(TrendData, carries_hostile_texts_as_text_and_ends_no_script) {
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

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reporter/render.h"
#include "tests/reporter/sample_reports.h"

namespace perf {
namespace {

using nlohmann::json;

TEST(JudgeJson, HasTheVerdictOfEachCase) {
  const json cases =
      json::parse(render_judge_json({samples::step_time("b", 0.4, 0.2, 0.01, Verdict::regressed),
                                     samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged)}))
          .at("cases");
  EXPECT_EQ(cases.at("b").at("verdict"), "regressed");
  EXPECT_EQ(cases.at("b").at("change"), 0.2);
  EXPECT_EQ(cases.at("b").at("interval").size(), 2U);
  EXPECT_EQ(cases.at("b").at("pairs"), 15);
  EXPECT_EQ(cases.at("a").at("verdict"), "unchanged");
}

TEST(JudgeJson, HasNoIntervalBeforeTheFirstLook) {
  Comparison early = samples::step_time("early", 0.4, 0.2, 0.01, Verdict::inconclusive);
  early.interval.reset();
  early.look = 0;
  EXPECT_TRUE(
      json::parse(render_judge_json({early})).at("cases").at("early").at("interval").is_null());
}

TEST(JudgeJson, NamesACaseOfAnotherMetricByBoth) {
  Comparison memory = samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged);
  memory.metric = kPeakRss;
  memory.judged = false;
  const json cases =
      json::parse(
          render_judge_json({samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged), memory}))
          .at("cases");
  EXPECT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases.at("a").at("metric"), "step_time");
  EXPECT_EQ(cases.at("a").at("base").at("median"), 0.4);
  EXPECT_EQ(cases.at("a peak_rss").at("workload"), "a");
  EXPECT_EQ(cases.at("a peak_rss").at("unit"), "B");
  EXPECT_TRUE(cases.at("a peak_rss").at("verdict").is_null());
}

TEST(JudgeJson, HasTheFieldsOfAComparisonInAReport) {
  const Report report = samples::mixed();
  const json rows = json::parse(render_json(report)).at("comparisons");
  const json cases = json::parse(render_judge_json(report.comparisons)).at("cases");
  EXPECT_EQ(cases.size(), rows.size());
  for (const json& one : cases) {
    const auto row = std::ranges::find_if(rows, [&one](const json& other) {
      return other.at("workload") == one.at("workload") && other.at("metric") == one.at("metric");
    });
    ASSERT_NE(row, rows.end());
    for (const auto& [field, value] : one.items()) {
      EXPECT_EQ(value, row->at(field)) << field;
    }
  }
}

TEST(JudgePage, NamesMetricsIfThereAreSeveral) {
  Comparison memory = samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged);
  memory.metric = kPeakRss;
  const Comparison time = samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged);
  EXPECT_NE(render_terminal(std::vector{time, memory}, false).find("peak_rss"), std::string::npos);
  EXPECT_EQ(render_terminal(std::vector{time}, false).find("step_time"), std::string::npos);
}

TEST(JudgePage, HasMarkdownAndHtml) {
  const std::vector<Comparison> cases{
      samples::step_time("parser", 0.4, 0.2, 0.01, Verdict::regressed)};
  const std::string markdown = render_markdown(cases);
  EXPECT_EQ(markdown.find("### ❌ 1 regressed\n"), 0U) << markdown;
  EXPECT_NE(markdown.find("| `parser` | 400"), std::string::npos) << markdown;
  EXPECT_NE(render_html(cases).find("<h1>"), std::string::npos);
}

TEST(JudgeJson, IsAnEmptyObjectWithoutCases) {
  const json empty = json::parse(render_judge_json({}));
  EXPECT_TRUE(empty.at("cases").is_object());
  EXPECT_TRUE(empty.at("cases").empty());
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reporter/render.h"
#include "tests/reporter/sample_reports.h"

namespace perf {
namespace {

using nlohmann::json;

TEST(RenderJudgeJson, gives_each_case_its_verdict) {
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

TEST(RenderJudgeJson, the_interval_is_null_below_the_first_look) {
  Comparison early = samples::step_time("early", 0.4, 0.2, 0.01, Verdict::inconclusive);
  early.interval.reset();
  early.look = 0;
  EXPECT_TRUE(
      json::parse(render_judge_json({early})).at("cases").at("early").at("interval").is_null());
}

TEST(RenderJudgeJson, the_name_of_another_metric_stands_beside_the_case) {
  Comparison memory = samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged);
  memory.metric = kPeakRss;
  memory.judged = false;
  const json cases =
      json::parse(render_judge_json(
                      {samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged), memory}))
          .at("cases");
  EXPECT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases.at("a").at("metric"), "step_time");
  EXPECT_EQ(cases.at("a").at("base").at("median"), 0.4);
  EXPECT_EQ(cases.at("a peak_rss").at("workload"), "a");
  EXPECT_EQ(cases.at("a peak_rss").at("unit"), "B");
  EXPECT_TRUE(cases.at("a peak_rss").at("verdict").is_null());
}

TEST(RenderJudgeTerminal, names_metrics_where_there_are_several) {
  Comparison memory = samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged);
  memory.metric = kPeakRss;
  const Comparison time = samples::step_time("a", 0.4, 0, 0.01, Verdict::unchanged);
  EXPECT_NE(render_judge_terminal({time, memory}, false).find("peak_rss"), std::string::npos);
  EXPECT_EQ(render_judge_terminal({time}, false).find("step_time"), std::string::npos);
}

TEST(RenderJudgeJson, no_cases_are_an_empty_object) {
  const json empty = json::parse(render_judge_json({}));
  EXPECT_TRUE(empty.at("cases").is_object());
  EXPECT_TRUE(empty.at("cases").empty());
}

}  // namespace
}  // namespace perf

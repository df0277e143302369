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

TEST(RenderJudgeJson, no_cases_are_an_empty_object) {
  const json empty = json::parse(render_judge_json({}));
  EXPECT_TRUE(empty.at("cases").is_object());
  EXPECT_TRUE(empty.at("cases").empty());
}

}  // namespace
}  // namespace perf

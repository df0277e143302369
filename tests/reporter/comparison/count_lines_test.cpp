#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reporter/comparison/report_sections.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

Report controlled() {
  Report report = samples::unchanged();
  report.controls = {{"training/mlp_stack", kStepTime, 0.004, Interval{-0.01, 0.012}, 15, false},
                     {"training/mlp_stack", kPeakRss, 0.0, Interval{0, 0}, 15, false}};
  return report;
}

TEST(ControlLine, CountsQuietArms) {
  EXPECT_TRUE(contains(render_terminal(controlled(), false),
                       "control arms: 2 of 2 quiet; base against itself moved by 0.4 % at most\n"));
}

TEST(ControlLine, NamesFalseAlarms) {
  Report report = controlled();
  report.controls[0].alarmed = true;
  report.controls[0].change = 0.121;
  report.controls[0].interval = Interval{0.08, 0.162};
  const std::string text = render_markdown(report);
  EXPECT_TRUE(contains_all(text, {"1 of 2", "called changed", "+12.1 %"}));
}

TEST(ControlLine, CountsArmsWithTooFewPairs) {
  Report report = controlled();
  report.controls.push_back({"inference/generate", kStepTime, 0.3, {}, 2, false});
  EXPECT_TRUE(contains(render_terminal(report, false),
                       "control arms: 2 of 2 quiet; base against itself moved by 0.4 % at most; "
                       "1 had too few pairs\n"));
  report.controls.erase(report.controls.begin(), report.controls.begin() + 2);
  EXPECT_TRUE(contains(render_terminal(report, false), "control arms: 1 had too few pairs\n"));
}

TEST(ControlLine, IsAbsentWithoutControlArms) {
  EXPECT_TRUE(reporter::control_line(samples::unchanged()).empty());
  EXPECT_FALSE(contains(render_terminal(samples::unchanged(), false), "control"));
}

TEST(ControlLine, IsDataInTheJson) {
  const nlohmann::json json = nlohmann::json::parse(render_json(controlled()));
  ASSERT_EQ(json["controls"].size(), 2U);
  EXPECT_EQ(json["controls"][0]["workload"], "training/mlp_stack");
  EXPECT_EQ(json["controls"][0]["metric"], "step_time");
  EXPECT_EQ(json["controls"][0]["alarmed"], false);
  EXPECT_EQ(json["controls"][0]["pairs"], 15);
}

Comparison count_of(const std::string& workload, double change) {
  Comparison row;
  row.workload = workload;
  row.metric = {"instructions", "1", Better::lower};
  row.change = change;
  row.exact = true;
  row.verdict = Verdict::unchanged;
  if (change > 0) {
    row.notes = {{WarningKind::instructions_changed, {{"more", change}}}};
  }
  return row;
}

bool says(const Report& report, const std::string& part) {
  return render_terminal(report, false).find(part) != std::string::npos;
}

TEST(CountedLines, ShowACountThatChangedWithoutTheTime) {
  Report report = samples::unchanged();
  report.comparisons.push_back(count_of("training/mlp_stack", 0.001));
  EXPECT_TRUE(says(report,
                   "training/mlp_stack: 0.10 % more instructions, exactly; its time is "
                   "unchanged"));
}

TEST(CountedLines, CountEqualCounts) {
  Report report = samples::unchanged();
  report.comparisons.push_back(count_of("training/mlp_stack", 0));
  report.comparisons.push_back(count_of("training/lm", 0));
  EXPECT_TRUE(says(report, "2 counts are exactly equal at base and head"));
}

TEST(CountedLines, OmitRowsOfTheTable) {
  Report report = samples::unchanged();
  report.comparisons.push_back(count_of("training/mlp_stack", 0.2));
  report.comparisons.back().verdict = Verdict::regressed;
  EXPECT_TRUE(reporter::exact_count_lines(report).empty());
}

TEST(CountedLines, AreAbsentWithoutCounts) {
  EXPECT_TRUE(reporter::exact_count_lines(samples::unchanged()).empty());
}

}  // namespace
}  // namespace perf

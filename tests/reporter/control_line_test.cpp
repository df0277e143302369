#include "reporter/control_line.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/sample_reports.h"

namespace perf {
namespace {

Report controlled() {
  Report report = samples::unchanged();
  report.controls = {{"training/mlp_stack", kStepTime, 0.004, Interval{-0.01, 0.012}, 15, false},
                     {"training/mlp_stack", kPeakRss, 0.0, Interval{0, 0}, 15, false}};
  return report;
}

TEST(ControlLine, CountsTheQuietOnes) {
  EXPECT_TRUE(contains(render_terminal(controlled(), false),
                       "control arms: 2 of 2 quiet; base against itself moved by 0.4 % at most\n"));
}

TEST(ControlLine, NamesThoseThatWouldHaveBeenCalledChanged) {
  Report report = controlled();
  report.controls[0].alarmed = true;
  report.controls[0].change = 0.121;
  report.controls[0].interval = Interval{0.08, 0.162};
  const std::string text = render_markdown(report);
  EXPECT_TRUE(contains(text, "1 of 2"));
  EXPECT_TRUE(contains(text, "called changed"));
  EXPECT_TRUE(contains(text, "+12.1 %"));
}

TEST(ControlLine, TooFewPairsAreNotQuiet) {
  Report report = controlled();
  report.controls.push_back({"inference/generate", kStepTime, 0.3, {}, 2, false});
  EXPECT_TRUE(contains(render_terminal(report, false),
                       "control arms: 2 of 2 quiet; base against itself moved by 0.4 % at most; "
                       "1 had too few pairs\n"));
  report.controls.erase(report.controls.begin(), report.controls.begin() + 2);
  EXPECT_TRUE(contains(render_terminal(report, false), "control arms: 1 had too few pairs\n"));
}

TEST(ControlLine, IsNotThereWithoutControlArms) {
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

}  // namespace
}  // namespace perf

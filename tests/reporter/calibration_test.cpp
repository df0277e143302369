#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

TEST(RenderCalibration, ReportsThatIdenticalCodeIsUnchanged) {
  const std::string text = render_terminal(samples::quiet_calibration(), false);
  EXPECT_EQ(text.rfind("Calibrated: none of 3 comparisons of identical code was called changed", 0),
            0U);
  EXPECT_TRUE(contains_all(text, {"of 32 pairs each", "at 14", "at 64"}));
  EXPECT_TRUE(contains(text, "12 %, 71 s"));  // 12.1 % is cut; 14 / 0.121 pairs of 0.61 s
  EXPECT_TRUE(contains(text, "100 %, 8.5 s"));
  EXPECT_FALSE(contains(text, "warning"));
  EXPECT_FALSE(contains(text, "\x1b"));
}

TEST(RenderCalibration, FitsATerminal) {
  std::string text = render_terminal(samples::noisy_calibration(), false);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 104U) << text.substr(at,
                                             end - at);  // 100 columns; some characters are longer
    at = end + 1;
  }
  EXPECT_TRUE(contains(text, "inference/generate"));
}

TEST(RenderCalibration, ReportsFalseAlarmsFirst) {
  const Calibration calibration = samples::noisy_calibration();
  const std::string text = render_terminal(calibration, false);
  EXPECT_EQ(text.rfind("False alarms: 1 of 3 comparisons of identical code was called changed", 0),
            0U);
  EXPECT_TRUE(contains_all(
      text, {"17 to 32 pairs", "warning: identical code was called regressed", "interrupted"}));
  EXPECT_TRUE(contains(render_markdown(calibration), "❌"));
  EXPECT_TRUE(contains(render_terminal(calibration, true), "\x1b["));
}

TEST(RenderCalibration, RendersAnEmptyRecord) {
  EXPECT_TRUE(contains(render_terminal(Calibration{}, false), "nothing could be measured"));
  EXPECT_TRUE(contains(render_markdown(Calibration{}), "nothing could be measured"));
}

TEST(RenderCalibration, WritesEverythingAsJson) {
  const nlohmann::json json =
      nlohmann::json::parse(render_calibration_json(samples::noisy_calibration()));
  EXPECT_EQ(json["schema"], "perf-compare/calibration/1");
  EXPECT_EQ(json["series"].size(), 3U);
  EXPECT_EQ(json["series"][2]["verdict"], "regressed");
  EXPECT_EQ(json["series"][2]["smallest_threshold"], nullptr);
  EXPECT_EQ(json["series"][2]["thresholds"][3]["unchanged"], 1.0);
  EXPECT_EQ(json["series"][0]["pair_changes"].size(), 3U);
  EXPECT_EQ(json["reports"][0]["five_runs_alarms"], nullptr);
  EXPECT_EQ(json["warning_details"][1]["kind"], "false_alarm");
}

TEST(RenderCalibration, ShowsHostileTextsAsText) {
  for (const std::string& text : samples::hostile_texts()) {
    Calibration calibration = samples::noisy_calibration();
    for (CalibratedMetric& series : calibration.series) {
      series.workload = series.metric.name = series.metric.unit = text;
      series.params = {{text, text}};
    }
    calibration.revision.subject = calibration.revision.name = calibration.revision.rule = text;
    calibration.environment.machine = {{"cpu_model", text}, {text, text}};
    calibration.size = calibration.generated_at = calibration.tool_version = text;
    calibration.not_measured = {text};
    calibration.warnings = {{WarningKind::not_calibrated, {}, {{"why", text}}}};
    EXPECT_FALSE(samples::is_obeyed(render_terminal(calibration, false))) << text;
    EXPECT_FALSE(contains(render_markdown(calibration), "<script"));
    EXPECT_NO_THROW(nlohmann::json::parse(render_calibration_json(calibration)));
  }
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "reporter/render.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

class Schema : public testing::Test {
 protected:
  void SetUp() override {
    if (!samples::has_json_schema()) {
      GTEST_SKIP() << "python3-jsonschema is not installed";
    }
  }
};

TEST_F(Schema, DescribesEveryReport) {
  std::vector<std::string> documents;
  for (const samples::Named& sample : samples::all()) {
    documents.push_back(render_json(sample.report));
  }
  Report undated = samples::regressed();
  undated.generated_at.clear();
  undated.policy.thresholds = {{"micro/*", "peak_rss", 0.03}};
  undated.policy.metrics = {"step_time"};
  documents.push_back(render_json(undated));
  EXPECT_EQ(samples::misfit("report.schema.json", documents), "");
}

TEST_F(Schema, DescribesWhatBisectWrites) {
  EXPECT_EQ(
      samples::misfit("bisect.schema.json", {render_bisection_json(samples::found_commit()),
                                             render_bisection_json(samples::found_among_three()),
                                             render_bisection_json(samples::unconfirmed_commit()),
                                             render_bisection_json(samples::uncompared_commit()),
                                             render_bisection_json(samples::nothing_to_find()),
                                             render_bisection_json(samples::stopped_bisection())}),
      "");
}

TEST_F(Schema, DescribesWhatListAndShowWrite) {
  EXPECT_EQ(samples::misfit("list.schema.json", {render_run_list_json(samples::listed_runs()),
                                                 render_run_list_json({})}),
            "");
  EXPECT_EQ(samples::misfit("run.schema.json", {render_run_json(samples::shown_run())}), "");
  EXPECT_EQ(
      samples::misfit("revision.schema.json", {render_revision_json(samples::shown_revision())}),
      "");
}

TEST_F(Schema, DescribesWhatDoctorWrites) {
  EXPECT_EQ(samples::misfit("doctor.schema.json",
                            {render_doctor_json(samples::noisy_laptop()), render_doctor_json({})}),
            "");
}

TEST_F(Schema, DescribesWhatCalibrateWrites) {
  EXPECT_EQ(samples::misfit("calibration.schema.json",
                            {render_calibration_json(samples::quiet_calibration()),
                             render_calibration_json(samples::noisy_calibration()),
                             render_calibration_json({})}),
            "");
}

TEST_F(Schema, DescribesWhatRatchetWrites) {
  RatchetAnswer answer;
  answer.run.end = RatchetEnd{};
  answer.run.end->gains = {0.01};
  answer.run.end->guarded = {{"parser", "peak_rss", {0.01}, 0.01, 0.1, true}};
  RatchetRun gain = answer.run;
  gain.is_attempt = false;
  gain.end->interval = Interval{0.01, 0.02};
  RatchetAnswer fifth = answer;
  fifth.run.number = 5;
  fifth.level = 0.001;
  fifth.gain = gain;
  RatchetLog log;
  log.runs = {fifth.run, {}, gain};
  EXPECT_EQ(samples::misfit("ratchet.schema.json",
                            {render_ratchet_json(answer), render_ratchet_json(fifth),
                             render_ratchet_log_json(log), render_ratchet_log_json({})}),
            "");
}

TEST_F(Schema, DescribesWhatCollectWrites) {
  EXPECT_EQ(samples::misfit(
                "collection.schema.json",
                {render_collection_json(samples::collected_night()),
                 render_collection_json(samples::collected_anchored()),
                 render_collection_json(samples::unbuilt_night()),
                 render_collection_json(samples::collected_range()), render_collection_json({})}),
            "");
}

TEST_F(Schema, DescribesWhatDetectWrites) {
  EXPECT_EQ(samples::misfit("detection.schema.json",
                            {render_detection_json({{"parser", {3, 9.5}}, {"lexer", {}}}),
                             render_detection_json({})}),
            "");
}

TEST_F(Schema, DescribesControlArms) {
  Report report = samples::unchanged();
  report.controls = {{"training/mlp_stack", kStepTime, 0.004, Interval{-0.01, 0.012}, 15, false},
                     {"training/mlp_stack", kPeakRss, std::nullopt, std::nullopt, 0, true}};
  EXPECT_EQ(samples::misfit("report.schema.json", {render_json(report)}), "");
}

TEST_F(Schema, DescribesWhatProfileWrites) {
  EXPECT_EQ(
      samples::misfit("profile.schema.json", {render_profile_json(samples::profiled()),
                                              render_profile_json(samples::profiled_twice())}),
      "");
}

TEST_F(Schema, DescribesWhatTrendWrites) {
  std::vector<std::string> documents;
  for (const samples::NamedTrend& sample : samples::all_trends()) {
    documents.push_back(render_trend_json(sample.report));
  }
  EXPECT_EQ(samples::misfit("trend.schema.json", documents), "");
}

TEST(PublishedSchemas, HaveDialectTitleAndUniqueName) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(PERF_SOURCE_DIR "/schema/json")) {
    if (entry.path().extension() != ".json") {
      continue;  // the mapping of the records
    }
    std::ifstream file(entry.path());
    const nlohmann::json schema = nlohmann::json::parse(file);
    EXPECT_EQ(schema.value("$schema", ""), "https://json-schema.org/draft/2020-12/schema");
    EXPECT_FALSE(schema.value("title", "").empty()) << entry.path();
    const std::string file_name = entry.path().filename().string();
    const std::string name = file_name.substr(0, file_name.find('.'));
    EXPECT_EQ(schema.value("$id", ""),
              "urn:perf-compare:" + name + (name == "report" ? ":2" : ":1"));
    names.insert(schema.value("$id", ""));
  }
  EXPECT_GE(names.size(), 12U);
}

TEST_F(Schema, RejectsInvalidReports) {
  const nlohmann::json report = nlohmann::json::parse(render_json(samples::regressed()));
  std::vector<nlohmann::json> wrong(5, report);
  wrong[0].erase("summary");
  wrong[1]["comparisons"][0]["verdict"] = "worse";
  wrong[2]["head"] = nullptr;
  wrong[3]["comparisons"][0]["interval"] = {0.1};
  wrong[4]["schema"] = "perf-compare/report/1";
  for (const nlohmann::json& document : wrong) {
    EXPECT_NE(samples::misfit("report.schema.json", {document.dump()}), "");
  }
}

}  // namespace
}  // namespace perf

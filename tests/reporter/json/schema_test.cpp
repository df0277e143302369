#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "reporter/render.h"
#include "tests/reporter/outside_program.h"
#include "tests/reporter/sample_bisections.h"
#include "tests/reporter/sample_calibration.h"
#include "tests/reporter/sample_collections.h"
#include "tests/reporter/sample_diagnosis.h"
#include "tests/reporter/sample_profiles.h"
#include "tests/reporter/sample_reports.h"
#include "tests/reporter/sample_runs.h"
#include "tests/reporter/sample_trends.h"

namespace perf {
namespace {

/// Validates documents, one a line on standard input, against a published schema, once as it is
/// published and once closed: every field that is written must also be described.
constexpr const char* kValidator = R"(
import copy, json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
def close(node):
    if isinstance(node, dict):
        if "properties" in node:
            node["additionalProperties"] = False
        for value in node.values():
            close(value)
    elif isinstance(node, list):
        for value in node:
            close(value)
closed = copy.deepcopy(schema)
close(closed)
count = 0
for line in sys.stdin:
    document = json.loads(line)
    for each in (schema, closed):
        jsonschema.Draft202012Validator.check_schema(each)
        jsonschema.Draft202012Validator(each).validate(document)
    count += 1
print("validated", count)
)";

class Schema : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0) {
      GTEST_SKIP() << "python3-jsonschema is not installed";
    }
  }

  static std::string validate(const std::string& schema, const std::vector<std::string>& documents,
                              bool& succeeded) {
    std::string lines;
    for (const std::string& document : documents) {
      lines += nlohmann::json::parse(document).dump() + "\n";
    }
    return samples::output_of("/usr/bin/python3 -c '" + std::string(kValidator) + "' '" +
                                  PERF_SOURCE_DIR "/schema/json/" + schema + "'",
                              lines, succeeded);
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
  bool succeeded = false;
  const std::string output = validate("report.schema.json", documents, succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated " + std::to_string(documents.size()) + "\n");
}

TEST_F(Schema, DescribesWhatBisectWrites) {
  bool succeeded = false;
  const std::string output = validate("bisect.schema.json",
                                      {render_bisection_json(samples::found_commit()),
                                       render_bisection_json(samples::found_among_three()),
                                       render_bisection_json(samples::unconfirmed_commit()),
                                       render_bisection_json(samples::uncompared_commit()),
                                       render_bisection_json(samples::nothing_to_find()),
                                       render_bisection_json(samples::stopped_bisection())},
                                      succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated 6\n");
}

TEST_F(Schema, DescribesWhatListAndShowWrite) {
  bool succeeded = false;
  std::string output =
      validate("list.schema.json",
               {render_run_list_json(samples::listed_runs()), render_run_list_json({})}, succeeded);
  EXPECT_TRUE(succeeded) << output;
  output = validate("run.schema.json", {render_run_json(samples::shown_run())}, succeeded);
  EXPECT_TRUE(succeeded) << output;
  output = validate("revision.schema.json", {render_revision_json(samples::shown_revision())},
                    succeeded);
  EXPECT_TRUE(succeeded) << output;
}

TEST_F(Schema, DescribesWhatDoctorWrites) {
  bool succeeded = false;
  const std::string output =
      validate("doctor.schema.json",
               {render_doctor_json(samples::noisy_laptop()), render_doctor_json({})}, succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated 2\n");
}

TEST_F(Schema, DescribesWhatCalibrateWrites) {
  bool succeeded = false;
  const std::string output =
      validate("calibration.schema.json",
               {render_calibration_json(samples::quiet_calibration()),
                render_calibration_json(samples::noisy_calibration()), render_calibration_json({})},
               succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated 3\n");
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
  bool succeeded = false;
  const std::string output = validate("ratchet.schema.json",
                                      {render_ratchet_json(answer), render_ratchet_json(fifth),
                                       render_ratchet_log_json(log), render_ratchet_log_json({})},
                                      succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated 4\n");
}

TEST_F(Schema, DescribesWhatCollectWrites) {
  bool succeeded = false;
  const std::string output =
      validate("collection.schema.json",
               {render_collection_json(samples::collected_night()),
                render_collection_json(samples::collected_anchored()),
                render_collection_json(samples::unbuilt_night()),
                render_collection_json(samples::collected_range()), render_collection_json({})},
               succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated 5\n");
}

TEST_F(Schema, DescribesWhatDetectWrites) {
  bool succeeded = false;
  const std::string output = validate(
      "detection.schema.json",
      {render_detection_json({{"parser", {3, 9.5}}, {"lexer", {}}}), render_detection_json({})},
      succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated 2\n");
}

TEST_F(Schema, DescribesControlArms) {
  Report report = samples::unchanged();
  report.controls = {{"training/mlp_stack", kStepTime, 0.004, Interval{-0.01, 0.012}, 15, false},
                     {"training/mlp_stack", kPeakRss, std::nullopt, std::nullopt, 0, true}};
  bool succeeded = false;
  const std::string output = validate("report.schema.json", {render_json(report)}, succeeded);
  EXPECT_TRUE(succeeded) << output;
}

TEST_F(Schema, DescribesWhatProfileWrites) {
  bool succeeded = false;
  const std::string output = validate(
      "profile.schema.json",
      {render_profile_json(samples::profiled()), render_profile_json(samples::profiled_twice())},
      succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated 2\n");
}

TEST_F(Schema, DescribesWhatTrendWrites) {
  std::vector<std::string> documents;
  for (const samples::NamedTrend& sample : samples::all_trends()) {
    documents.push_back(render_trend_json(sample.report));
  }
  bool succeeded = false;
  const std::string output = validate("trend.schema.json", documents, succeeded);
  EXPECT_TRUE(succeeded) << output;
  EXPECT_EQ(output, "validated " + std::to_string(documents.size()) + "\n");
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
    bool succeeded = true;
    validate("report.schema.json", {document.dump()}, succeeded);
    EXPECT_FALSE(succeeded);
  }
}

}  // namespace
}  // namespace perf

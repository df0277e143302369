#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "reporter/escape/visible.h"
#include "reporter/openmetrics/exposition.h"
#include "reporter/render.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using Json = nlohmann::json;

/// What the parser of the Prometheus project makes of it; it is strict about the standard.
constexpr const char* kMetricsReader = R"(
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
text = sys.stdin.buffer.read().decode("utf-8", "strict")
families = {}
for family in text_string_to_metric_families(text):
    families[family.name] = {"type": family.type, "unit": family.unit, "help": family.documentation,
        "samples": [[one.name, one.labels, one.value] for one in family.samples]}
print(json.dumps(families))
)";

Json parsed_metrics(const std::string& text) {
  bool succeeded = false;
  const std::string output = samples::output_of(
      "/usr/bin/python3 -c '" + std::string(kMetricsReader) + "'", text, succeeded);
  EXPECT_TRUE(succeeded) << output << "\nof\n" << text.substr(0, 3000);
  return succeeded ? Json::parse(output) : Json::object();
}

/// The sample of a family with these labels, among others.
double value_of(const Json& families, const std::string& name,
                const std::map<std::string, std::string>& labels) {
  for (const Json& sample : families.at(name).at("samples")) {
    bool fits = true;
    for (const auto& [label, value] : labels) {
      fits = fits && sample[1].value(label, "") == value;
    }
    if (fits) {
      return sample[2];
    }
  }
  ADD_FAILURE() << "no sample of " << name << " in " << families.at(name).dump(1);
  return std::nan("");
}

class OpenMetrics : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -c 'import prometheus_client.openmetrics' 2>/dev/null") !=
        0) {
      GTEST_SKIP() << "python3-prometheus-client is not installed";
    }
  }
};

TEST_F(OpenMetrics, HasMediansChangesAndVerdicts) {
  const Json families = parsed_metrics(render_openmetrics(samples::regressed()));
  const std::map<std::string, std::string> row{{"workload", "training/mlp_stack"},
                                               {"metric", "step_time"}};
  auto side = row;
  side["side"] = "base";
  EXPECT_DOUBLE_EQ(value_of(families, "perf_compare_median_seconds", side), 0.4121);
  EXPECT_EQ(families["perf_compare_median_seconds"]["unit"], "seconds");
  EXPECT_DOUBLE_EQ(value_of(families, "perf_compare_change_ratio", row), 0.143);
  EXPECT_LT(value_of(families, "perf_compare_change_low_ratio", row), 0.143);
  EXPECT_GT(value_of(families, "perf_compare_change_high_ratio", row), 0.143);
  EXPECT_DOUBLE_EQ(value_of(families, "perf_compare_threshold_ratio", row), 0.1);
  auto state = row;
  state["perf_compare_verdict"] = "regressed";
  EXPECT_EQ(families["perf_compare_verdict"]["type"], "stateset");
  EXPECT_EQ(value_of(families, "perf_compare_verdict", state), 1);
  state["perf_compare_verdict"] = "unchanged";
  EXPECT_EQ(value_of(families, "perf_compare_verdict", state), 0);
  EXPECT_EQ(value_of(families, "perf_compare_comparisons", {{"verdict", "regressed"}}), 2);
}

TEST_F(OpenMetrics, HasTheSameLabelsForEveryReport) {
  const auto keys = [](const Report& report) {
    std::set<std::string> found;
    const Json families = parsed_metrics(render_openmetrics(report));
    for (const auto& [name, family] : families.items()) {
      for (const Json& sample : family["samples"]) {
        found.insert(name + sample[1].dump());
      }
    }
    return found;
  };
  Report other = samples::regressed();
  other.id = "another";
  other.head.oid = std::string(40, 'f');
  other.head.subject = "Another commit";
  for (Comparison& comparison : other.comparisons) {
    if (comparison.judged) {
      comparison.verdict = Verdict::unchanged;
    }
  }
  samples::summarize(other);
  EXPECT_EQ(keys(samples::regressed()), keys(other));
}

TEST_F(OpenMetrics, IsValidForEverySample) {
  for (const samples::Named& sample : samples::all()) {
    const std::string text = render_openmetrics(sample.report);
    EXPECT_EQ(text.substr(text.size() - 6), "# EOF\n");
    EXPECT_FALSE(parsed_metrics(text).empty()) << sample.name;
  }
  for (const samples::NamedTrend& sample : samples::all_trends()) {
    EXPECT_FALSE(parsed_metrics(render_trend_openmetrics(sample.report)).empty()) << sample.name;
  }
}

TEST_F(OpenMetrics, CountsTheAlertsOfAHistory) {
  const Json families = parsed_metrics(render_trend_openmetrics(samples::moved_history()));
  const double fresh = value_of(families, "perf_compare_alerts", {{"state", "new"}});
  EXPECT_GT(fresh, 0);
  double by_series = 0;
  for (const Json& sample : families["perf_compare_series_alerts"]["samples"]) {
    by_series += sample[1]["state"] == "new" ? sample[2].get<double>() : 0;
  }
  EXPECT_EQ(by_series, fresh);
  EXPECT_FALSE(families["perf_compare_level_seconds"]["samples"].empty());
}

TEST_F(OpenMetrics, ShowsHostileTextLiterally) {
  reporter::Exposition exposition;
  double number = 0;
  for (const std::string& text : samples::hostile_texts()) {
    exposition.gauge("perf_compare_x", "", "Help with \\ and \" and\nlines.",
                     {{"workload", text}, {"n", std::to_string(number)}}, number);
    ++number;
  }
  const Json families = parsed_metrics(exposition.str());
  ASSERT_EQ(families.size(), 1U);
  const Json& found = families["perf_compare_x"]["samples"];
  ASSERT_EQ(found.size(), samples::hostile_texts().size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i][1].value("workload", ""), reporter::visible(samples::hostile_texts()[i]));
    EXPECT_EQ(found[i][2], static_cast<double>(i));
  }
}

TEST_F(OpenMetrics, IsValidForHostileNames) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string report = render_openmetrics(samples::poisoned_report(text));
    const std::string history = render_trend_openmetrics(samples::poisoned_history(text));
    for (const std::string& one : {report, history}) {
      EXPECT_EQ(one.find("\n# EOF"), one.size() - 7) << "no text ends it early: " << text;
    }
  }
  // The escaper is held against the parser above; of whole reports those are enough.
  for (const std::string text : {"a\"b\\c\nd", "{x=\"y\"} 1\n# EOF\n", "\xff\x1b[0m\u202E"}) {
    EXPECT_FALSE(parsed_metrics(render_openmetrics(samples::poisoned_report(text))).empty());
    EXPECT_FALSE(parsed_metrics(render_trend_openmetrics(samples::poisoned_history(text))).empty());
  }
}

TEST(DistinctLabels, DistinguishEqualTexts) {
  reporter::DistinctLabels distinct;
  const auto metric = [&](const std::string& name) {
    return distinct.of({{"workload", "w"}, {"metric", name}}, 1)[1].second;
  };
  EXPECT_EQ(metric("a b"), "a b");
  EXPECT_EQ(metric("a b (2)"), "a b (2)");
  EXPECT_EQ(metric("a\tb"), "a\tb (3)");
  EXPECT_EQ(metric("a\nb"), "a\nb (4)");
  EXPECT_EQ(metric("\x1b"), "\x1b");
  EXPECT_EQ(metric("\u241B"), "\u241B (2)");
}

TEST_F(OpenMetrics, KeepsComparisonsOfSimilarNames) {
  Report report = samples::regressed();
  const std::size_t first = report.comparisons.size();
  for (const char* name : {"a b", "a\tb", "a\nb"}) {
    Comparison comparison = report.comparisons[0];
    comparison.metric.name = name;
    comparison.judged = true;
    comparison.verdict =
        report.comparisons.size() == first ? Verdict::unchanged : Verdict::regressed;
    report.comparisons.push_back(comparison);
  }
  const Json families = parsed_metrics(render_openmetrics(report));
  const std::string& workload = report.comparisons[0].workload;
  const auto regressed = [&](const char* metric) {
    return value_of(
        families, "perf_compare_verdict",
        {{"workload", workload}, {"metric", metric}, {"perf_compare_verdict", "regressed"}});
  };
  EXPECT_EQ(regressed("a b"), 0);
  EXPECT_EQ(regressed("a b (2)"), 1);
  EXPECT_EQ(regressed("a b (3)"), 1);
}

TEST(Exposition, KeepsAFamilyTogetherWithoutDuplicates) {
  reporter::Exposition text;
  text.gauge("a_seconds", "seconds", "A.", {{"x", "1"}}, 0.1);
  text.gauge("b", "", "B.", {}, 2);
  text.gauge("a_seconds", "seconds", "A.", {{"x", "2"}, {"y", ""}}, 1e-9);
  text.gauge("a_seconds", "seconds", "A.", {{"x", "1"}}, 7);
  text.gauge("a_seconds", "seconds", "A.", {{"x", "3"}}, std::numeric_limits<double>::infinity());
  EXPECT_EQ(text.str(),
            "# TYPE a_seconds gauge\n# UNIT a_seconds seconds\n# HELP a_seconds A.\n"
            "a_seconds{x=\"1\"} 0.1\na_seconds{x=\"2\"} 1e-09\n"
            "# TYPE b gauge\n# HELP b B.\nb 2\n# EOF\n");
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/junit/test_suite.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using Json = nlohmann::json;
using reporter::CaseResult;
using reporter::TestCase;

/// What a parser of XML makes of it: the cases of the first suite and its properties. The counts of
/// both levels are held against the cases.
constexpr const char* kReader = R"(
import json, sys
import xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
assert root.tag == "testsuites", root.tag
cases, properties = [], []
for suite in root:
    for part in (root, suite):
        assert int(part.get("tests")) == len(part.findall(".//testcase"))
        for kind in ("failure", "error"):
            assert int(part.get(kind + "s")) == len(part.findall(".//" + kind))
    assert int(suite.get("skipped")) == len(suite.findall(".//skipped"))
    for one in suite.findall("properties/property"):
        properties.append([one.get("name"), one.get("value")])
    for one in suite.findall("testcase"):
        found = {"class": one.get("classname"), "name": one.get("name"), "result": "passed",
                 "message": "", "text": ""}
        for part in one:
            if part.tag != "system-out":
                found["result"], found["message"] = part.tag, part.get("message")
            found["text"] += part.text or ""
        cases.append(found)
print(json.dumps({"cases": cases, "properties": properties}))
)";

Json parsed(const std::string& xml) {
  bool succeeded = false;
  const std::string output =
      samples::output_of("/usr/bin/python3 -c '" + std::string(kReader) + "'", xml, succeeded);
  EXPECT_TRUE(succeeded) << output << "\nof\n" << xml.substr(0, 3000);
  return succeeded ? Json::parse(output) : Json{{"cases", Json::array()}};
}

Json case_of(const Json& suite, const std::string& group, const std::string& name) {
  for (const Json& one : suite.at("cases")) {
    if (one.at("class") == group && one.at("name") == name) {
      return one;
    }
  }
  ADD_FAILURE() << "no case " << group << " " << name << " in " << suite.dump(1);
  return {};
}

class RenderJunit : public testing::Test {
 protected:
  void SetUp() override {
    if (!samples::has_program("/usr/bin/python3")) {
      GTEST_SKIP() << "/usr/bin/python3 is not installed";
    }
  }
};

TEST_F(RenderJunit, FailsRegressionsAndSkipsUndecidedRows) {
  const Report report = samples::mixed();
  const Json suite = parsed(render_junit(report));
  const std::map<Verdict, std::string> results{
      {Verdict::regressed, "failure"},    {Verdict::failed, "error"},
      {Verdict::inconclusive, "skipped"}, {Verdict::incomparable, "skipped"},
      {Verdict::missing, "skipped"},      {Verdict::improved, "passed"},
      {Verdict::fresh, "passed"},         {Verdict::unchanged, "passed"}};
  std::set<Verdict> seen;
  for (const Comparison& comparison : report.comparisons) {
    if (comparison.judged) {
      seen.insert(*comparison.verdict);
      EXPECT_EQ(case_of(suite, comparison.workload, comparison.metric.name)["result"],
                results.at(*comparison.verdict));
    }
  }
  EXPECT_EQ(seen.size(), kVerdicts.size()) << "the sample has every verdict";
}

TEST_F(RenderJunit, ShowsTheChangeAndTheCommand) {
  const Json suite = parsed(render_junit(samples::regressed()));
  const Json time = case_of(suite, "training/mlp_stack", "step_time");
  EXPECT_EQ(time["message"],
            "regressed: step_time 412 ms -> 471 ms, +14.3 % [+12.1, +16.0]; threshold 10 %; 15 "
            "pairs");
  EXPECT_TRUE(contains(time["text"].get<std::string>(), "\nagain: perf-compare 3f2a91c4d1"))
      << time["text"];
  EXPECT_TRUE(contains(time["text"].get<std::string>(), "\nmostly in backward"));
  bool has_base = false;
  for (const Json& property : suite["properties"]) {
    has_base = has_base || (property[0] == "base" && property[1] == samples::frame().base->oid);
  }
  EXPECT_TRUE(has_base);
}

TEST_F(RenderJunit, HasBuildOutputInTheBodyOfACase) {
  const Json suite = parsed(render_junit(samples::build_failed()));
  const Json one = case_of(suite, "training/lm", "step_time");
  EXPECT_EQ(one["message"], "failed: head does not build (exit status 1)");
  EXPECT_TRUE(contains(one["text"].get<std::string>(), "\ngemm.cpp:41:7: error: ")) << one["text"];
}

TEST_F(RenderJunit, HasTargetsAndChecksAsCases) {
  Report report = samples::targets();
  report.comparisons[0].checks = {{"right", true, true, 0.1, 0.2},
                                  {"wrong", true, false, 0.3, 0.2},
                                  {"wrong before", false, false, 0.3, 0.2},
                                  {"not run", true, std::nullopt, {}, {}}};
  const std::string sized = render_junit(report);
  for (TargetResult& result : report.targets) {  // those of another size are left out
    const bool speaks = result.target.size.empty() || result.target.size == report.size;
    EXPECT_EQ(sized.find("name=\"" + result.target.name + "\"") != std::string::npos, speaks);
    result.target.size.clear();
  }
  const Json suite = parsed(render_junit(report));
  const std::string workload = report.comparisons[0].workload;
  EXPECT_EQ(case_of(suite, workload, "check right")["result"], "passed");
  EXPECT_EQ(case_of(suite, workload, "check wrong")["result"], "failure");
  EXPECT_EQ(case_of(suite, workload, "check wrong before")["result"], "skipped");
  std::map<std::string, int> results;
  for (const TargetResult& target : report.targets) {
    const Json one = case_of(suite, "targets", target.target.name);
    EXPECT_EQ(one["result"], !target.met ? "skipped" : *target.met ? "passed" : "failure");
    ++results[one["result"]];
  }
  EXPECT_EQ(results, (std::map<std::string, int>{{"failure", 1}, {"passed", 1}, {"skipped", 2}}));
  EXPECT_EQ(case_of(suite, "targets", "int4 at the speed of memory")["message"],
            "not for isa avx2: int4 at the speed of memory, wanted at least 0.800");
}

TEST_F(RenderJunit, FailsWithoutMeasurements) {
  const Json nothing = parsed(render_junit(samples::empty()));
  ASSERT_EQ(nothing["cases"].size(), 1U);
  EXPECT_EQ(nothing["cases"][0]["result"], "error");
}

TEST_F(RenderJunit, FailsASeriesWithANewAlertOnly) {
  const TrendReport report = samples::moved_history();
  const Json suite = parsed(render_trend_junit(report));
  ASSERT_EQ(suite["cases"].size(), report.series.size());
  std::size_t failed = 0, known = 0;
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    const TrendSeries& series = report.series[i];
    const auto has = [&series](AlertState state) {
      const auto is = [state](const auto& finding) { return finding.state == state; };
      return std::any_of(series.change_points.begin(), series.change_points.end(), is) ||
             (series.trend && is(*series.trend)) ||
             std::any_of(series.drifts.begin(), series.drifts.end(), is);
    };
    const Json& one = suite["cases"][i];
    EXPECT_EQ(one["result"] == "failure", has(AlertState::fresh)) << one;
    EXPECT_EQ(one["name"], series.metric.name);
    failed += has(AlertState::fresh);
    known += !has(AlertState::fresh) && has(AlertState::known) ? 1 : 0;
  }
  EXPECT_GT(failed, 0U);
  EXPECT_GT(known, 0U) << "the sample tells the two apart";
}

TEST_F(RenderJunit, IsValidJunit) {
  if (!samples::has_program("xmllint")) {
    GTEST_SKIP() << "xmllint is not installed (Debian package libxml2-utils)";
  }
  std::vector<std::string> documents;
  for (const samples::Named& sample : samples::all()) {
    documents.push_back(render_junit(sample.report));
  }
  for (const samples::NamedTrend& sample : samples::all_trends()) {
    documents.push_back(render_trend_junit(sample.report));
  }
  for (const std::string& xml : documents) {
    bool succeeded = false;
    const std::string output = samples::output_of("xmllint --noout --relaxng '" PERF_SOURCE_DIR
                                                  "/tests/reporter/junit/junit.rng' -",
                                                  xml, succeeded);
    EXPECT_TRUE(succeeded) << output << xml.substr(0, 2000);
  }
}

TEST(JunitXml, NumbersCasesOfTheSameName) {
  const TestCase one{"parser", "step_time"};
  const std::string xml = reporter::junit_xml({"suite", "", 0, {}, {one, one, one}});
  EXPECT_TRUE(
      contains_all(xml, {"name=\"step_time\"", "name=\"step_time #2\"", "name=\"step_time #3\""}));
  const std::string written = reporter::junit_xml(
      {"suite", "", 0, {}, {{"a b", "step_time"}, {"a\nb", "step_time"}, {"a\tb", "step_time"}}});
  EXPECT_TRUE(contains_all(written, {"classname=\"a b\" name=\"step_time #3\""}));
}

TEST_F(RenderJunit, ShowsHostileTextLiterally) {
  std::vector<TestCase> cases;
  for (const std::string& text : samples::hostile_texts()) {
    cases.push_back({text, text, CaseResult::failure, text, {text}});
  }
  const Json suite = parsed(reporter::junit_xml({"suite", "", 0, {{"p", "<\"&'>"}}, cases}));
  ASSERT_EQ(suite["cases"].size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string seen = reporter::visible(cases[i].name);
    EXPECT_EQ(suite["cases"][i]["class"], seen);
    EXPECT_EQ(suite["cases"][i]["message"], seen);
    EXPECT_EQ(suite["cases"][i]["text"], seen + "\n");
    const std::string name = suite["cases"][i]["name"];
    EXPECT_EQ(name.substr(0, seen.size()), seen) << "but for the number of a twin";
  }
  EXPECT_EQ(suite["properties"][0][1], "<\"&'>");
}

/// Documents in one go, apart by NUL, which none of them has: how many cases each has, by result.
constexpr const char* kCounter = R"(
import sys
import xml.etree.ElementTree as tree
for document in sys.stdin.buffer.read().split(b"\0"):
    root = tree.fromstring(document)
    print([len(root.findall(".//" + tag)) for tag in ("testcase", "failure", "error", "skipped")],
          sorted({one.tag for one in root.iter()}))
)";

TEST_F(RenderJunit, KeepsItsShapeForHostileNames) {
  for (const bool history : {false, true}) {
    const auto render = [history](const std::string& text) {
      return history ? render_trend_junit(samples::poisoned_history(text))
                     : render_junit(samples::poisoned_report(text));
    };
    std::string documents = render("harmless");
    for (const std::string& text : samples::hostile_texts()) {
      documents += '\0' + render(text);
    }
    bool succeeded = false;
    const std::string output = samples::output_of(
        "/usr/bin/python3 -c '" + std::string(kCounter) + "'", documents, succeeded);
    ASSERT_TRUE(succeeded) << output;
    std::istringstream lines(output);
    std::string harmless;
    std::getline(lines, harmless);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      EXPECT_EQ(line, harmless) << samples::hostile_texts()[count].substr(0, 100);
    }
    EXPECT_EQ(count, samples::hostile_texts().size());
  }
}

}  // namespace
}  // namespace perf

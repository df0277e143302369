// What `profile` says, and what a flagged row says of functions and layout.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reporter/comparison/report_sections.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using reporter::functions_remark;
using reporter::layout_remark;

std::string plain(const reporter::Prose& prose) {
  std::string text;
  for (const reporter::Span& span : prose) {
    text += span.text;
  }
  return text;
}

Comparison slower() {
  return samples::step_time("training/mlp", 0.01, 0.2, 0.02, Verdict::regressed);
}

TEST(Profile, ShowsTheHotspotsOfOneRevision) {
  EXPECT_EQ(render_terminal(samples::profiled(), false),
            "Profiled 1 workload\n"
            "\n"
            "  head bbbbbbbbbb Compute more (HEAD)\n"
            "\n"
            "training/mlp: 1200 samples\n"
            "   share  of a step  function           in\n"
            "  50.0 %    5.00 ms  gelu(float&, int)  bench\n"
            "  48.0 %    4.80 ms  sgemm_kernel       libopenblas.so.0\n"
            "  30 other functions\n");
}

TEST(Profile, ShowsWhatMovedBetweenTwo) {
  const std::string text = render_terminal(samples::profiled_twice(), false);
  EXPECT_TRUE(contains_all(text, {"base", "30.0 %  50.0 %  3.00 ms -> 5.00 ms", "68.0 %  48.0 %  -",
                                  "not profiled at head: perf could not be started: install it"}));
}

TEST(Profile, HasMarkdownAndHtml) {
  const std::string markdown = render_markdown(samples::profiled_twice());
  EXPECT_EQ(markdown.find("### ❌ Profiled 1 of 2 workloads\n"), 0U) << markdown;
  EXPECT_TRUE(contains(markdown, "`training/mlp`: "));
  EXPECT_TRUE(contains(render_html(samples::profiled()), "sgemm_kernel"));
}

TEST(Profile, ReportsThatNothingMoved) {
  ProfileReport report = samples::profiled_twice();
  report.workloads[0].changes.clear();
  EXPECT_TRUE(contains(render_terminal(report, false), "no function's share moved"));
}

TEST(Profile, WritesJson) {
  const nlohmann::json both = nlohmann::json::parse(render_profile_json(samples::profiled_twice()));
  EXPECT_EQ(both["schema"], "perf-compare/profile/1");
  const nlohmann::json& first = both["workloads"][0];
  EXPECT_EQ(first["head"]["functions"][0]["symbol"], "_Z4geluRfi");
  EXPECT_EQ(first["changes"][0]["head_seconds"], 0.005);
  EXPECT_TRUE(first["changes"][1]["head_seconds"].is_null());
  EXPECT_TRUE(first["head"]["problem"].is_null());
  EXPECT_EQ(both["workloads"][1]["head"]["problem"], "perf could not be started: install it");
}

TEST(Profile, ShowsHostileNamesAsText) {
  for (const std::string& text : samples::hostile_texts()) {
    ProfileReport report = samples::profiled_twice();
    report.workloads[0].changes[0].name = text;
    report.workloads[0].changes[0].object = text;
    report.workloads[1].head.problem = text;
    ProfileReport one = samples::profiled();
    one.workloads[0].head.functions[0].name = text;
    one.workloads[0].head.functions[0].object = "/" + text;
    Comparison row = slower();
    row.functions = report.workloads[0].changes;
    Report comparison;
    comparison.comparisons = {row};
    for (const std::string& written : {render_terminal(report, false), render_terminal(one, false),
                                       render_terminal(comparison, false)}) {
      EXPECT_FALSE(samples::is_obeyed(written)) << written;
    }
    EXPECT_NO_THROW(nlohmann::json::parse(render_profile_json(report)));
    EXPECT_NO_THROW(nlohmann::json::parse(render_json(comparison)));
  }
}

TEST(Explanations, NameTheFunctionsThatMoved) {
  Comparison row = slower();
  EXPECT_TRUE(functions_remark(row).empty());
  row.functions = samples::profiled_twice().workloads[0].changes;
  EXPECT_EQ(plain(functions_remark(row)),
            "functions whose share moved: gelu(float&, int) 30.0 % -> 50.0 % (3.00 ms -> 5.00 ms); "
            "sgemm_kernel 68.0 % -> 48.0 %");
  row.functions.resize(5, row.functions[0]);
  const std::string many = plain(functions_remark(row));
  EXPECT_EQ(many.substr(many.rfind(';')), "; 2 more");
}

TEST(Explanations, ShowTheResultOfRelinking) {
  Comparison row = slower();
  EXPECT_TRUE(layout_remark(row).empty());
  row.layout = LayoutEffect{"layout effect", 0.01, Interval{-0.2, 0.21}, 12};
  EXPECT_EQ(plain(layout_remark(row)),
            "layout effect: the hot code is the same at base and head; relinked 12 times, the "
            "change is +1.0 % [-20.0, +21.0]");
  row.layout = LayoutEffect{"layout effect suspected", {}, {}, 0};
  EXPECT_EQ(
      plain(layout_remark(row)),
      "layout effect suspected: the hot code is the same at base and head, and the build ignores "
      "layout seeds");
}

TEST(Explanations, AppearInTheChangedRow) {
  Report report;
  report.comparisons = {slower()};
  report.comparisons[0].layout = LayoutEffect{"layout effect suspected", {}, {}, 0};
  report.comparisons[0].functions = samples::profiled_twice().workloads[0].changes;
  const std::string text = render_terminal(report, false);
  EXPECT_TRUE(contains_all(text, {"layout effect suspected: ", "functions whose share moved: "}));
  const nlohmann::json json = nlohmann::json::parse(render_json(report));
  EXPECT_EQ(json["comparisons"][0]["layout"]["label"], "layout effect suspected");
  EXPECT_EQ(json["comparisons"][0]["functions"][0]["name"], "gelu(float&, int)");
}

}  // namespace
}  // namespace perf

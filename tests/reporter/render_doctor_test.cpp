#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reporter/escape/visible.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using Json = nlohmann::json;

std::string shown(const Diagnosis& diagnosis, bool verbose, bool color = false) {
  return render_terminal(reporter::page_of(diagnosis, verbose), color);
}

TEST(DoctorPage, ShowsProblemsFirstAndCountsTheRest) {
  EXPECT_EQ(shown(samples::noisy_laptop(), false),
            "2 problems found; 1 note\n"
            "\n"
            "  machine: Intel Core i7-8650U, 8 cores, 16 GiB\n"
            "\n"
            "  severity  check\n"
            "  bad       load\n"
            "      1.3 of 8 cores busy with other work: cc1plus 0.9, ninja 0.2\n"
            "      other work takes CPU time and cache from the program\n"
            "      try: wait until it ends, or stop it\n"
            "  bad       governor\n"
            "      powersave on 8 CPUs\n"
            "      the clock follows the load: steps begin slow and end fast\n"
            "      try, as root: cpupower frequency-set -g performance\n"
            "\n"
            "  severity  check\n"
            "  note      boost\n"
            "      on\n"
            "      try, as root: echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo\n"
            "\n"
            "  2 checks passed; not available on this machine: platform profile, program\n"
            "  watched for 1.00 s; -v shows all checks\n");
}

TEST(DoctorPage, ShowsAllChecksIfVerbose) {
  const std::string text = shown(samples::noisy_laptop(), true);
  EXPECT_TRUE(
      contains_all(text, {"  good      cpu quota\n      none found\n",
                          "  unknown   program\n      build/bench: is not built here\n",
                          "      the clock depends on heat and on how many cores are busy\n",
                          "  watched for 1.00 s\n"}));
}

TEST(DoctorPage, ReportsAQuietMachine) {
  Diagnosis diagnosis = samples::noisy_laptop();
  diagnosis.causes = {{"aslr", Severity::good, "on", "", "", false}};
  const std::string text = shown(diagnosis, false);
  EXPECT_EQ(text.find("No problems found\n"), 0u) << text;
  EXPECT_TRUE(contains(text, "\n\n  1 check passed\n"));
}

TEST(DoctorPage, UsesColoursOnlyOnRequest) {
  EXPECT_EQ(shown(samples::noisy_laptop(), true).find('\x1b'), std::string::npos);
  EXPECT_TRUE(contains(shown(samples::noisy_laptop(), false, true), "\x1b[1;31mbad\x1b[0m"));
}

TEST(DoctorPage, HasMarkdownAndHtmlWithAllChecks) {
  const std::string markdown = render_markdown(samples::noisy_laptop());
  const std::string html = render_html(samples::noisy_laptop());
  EXPECT_TRUE(contains(markdown, "### ❌ 2 problems found; 1 note\n"));
  EXPECT_TRUE(contains(markdown, "- boost: on; the clock depends on heat"));
  for (const char* part : {"platform profile", "cpupower frequency-set", "cpu quota"}) {
    EXPECT_TRUE(contains(markdown, part)) << part;
    EXPECT_TRUE(contains(html, part)) << part;
  }
}

Diagnosis poisoned(const std::string& text) {
  Diagnosis diagnosis = samples::noisy_laptop();
  for (Cause& cause : diagnosis.causes) {
    cause.code = cause.what = cause.why = cause.remedy = text;
  }
  diagnosis.environment.machine["cpu_model"] = text;
  diagnosis.environment.facts[text] = text;
  diagnosis.tool_version = text;
  return diagnosis;
}

TEST(DoctorPage, ShowsHostileTextsAsText) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string text_shown = shown(poisoned(text), true);
    EXPECT_FALSE(samples::is_obeyed(text_shown)) << text;
    EXPECT_LT(text_shown.size(), 40000u);
    EXPECT_EQ(Json::parse(render_doctor_json(poisoned(text)))["causes"].size(), 7u);
  }
}

TEST(DoctorJson, HoldsEveryCheckAndTheirCounts) {
  const Json document = Json::parse(render_doctor_json(samples::noisy_laptop()));
  EXPECT_EQ(document["schema"], "perf-compare/doctor/1");
  EXPECT_EQ(document["summary"], Json({{"bad", 2}, {"good", 2}, {"note", 1}, {"unknown", 2}}));
  EXPECT_EQ(document["environment"]["facts"]["power"], "battery");
  EXPECT_EQ(document["watched"], 1.0004);
  ASSERT_EQ(document["causes"].size(), 7u);
  const Json& governor = document["causes"][1];
  EXPECT_EQ(governor["code"], "governor");
  EXPECT_EQ(governor["severity"], "bad");
  EXPECT_EQ(governor["needs_root"], true);
  EXPECT_EQ(governor["remedy"], "cpupower frequency-set -g performance");
}

TEST(DoctorJson, CountsZeroWithoutChecks) {
  const Json document = Json::parse(render_doctor_json({}));
  EXPECT_EQ(document["summary"]["bad"], 0);
  EXPECT_EQ(document["causes"], Json::array());
  EXPECT_TRUE(document["generated_at"].is_null());
}

}  // namespace
}  // namespace perf

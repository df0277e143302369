#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "reporter/escape/visible.h"
#include "reporter/render.h"
#include "tests/reporter/hostile_text.h"
#include "tests/reporter/sample_diagnosis.h"

namespace perf {
namespace {

using Json = nlohmann::json;

TEST(RenderDoctor, says_bad_things_first_and_counts_the_rest) {
  EXPECT_EQ(render_doctor_terminal(samples::noisy_laptop(), false, false),
            "2 things here are bad for timings; 1 more is worth knowing\n"
            "  machine: Intel Core i7-8650U, 8 cores, 16 GiB\n"
            "\n"
            "  bad   load: 1.3 of 8 cores busy with other work: cc1plus 0.9, ninja 0.2\n"
            "        what else runs takes turns with the program, and its caches\n"
            "        try: let it end, or stop it, before measuring\n"
            "  bad   governor: powersave on 8 CPUs\n"
            "        the clock follows the load: a step begins slow and ends fast\n"
            "        try, as root: cpupower frequency-set -g performance\n"
            "\n"
            "  note  boost: on\n"
            "        try, as root: echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo\n"
            "\n"
            "  2 good; not known here: platform profile, program\n"
            "  watched for 1.00 s; -v shows everything that was looked at\n");
}

TEST(RenderDoctor, shows_everything_to_who_asks) {
  const std::string text = render_doctor_terminal(samples::noisy_laptop(), false, true);
  for (const char* part :
       {"  good  cpu quota: none found\n", "  ?     program: build/bench: is not built here\n",
        "        the clock depends on heat and on how many cores are busy\n",
        "  watched for 1.00 s\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST(RenderDoctor, praises_a_quiet_machine) {
  Diagnosis diagnosis = samples::noisy_laptop();
  diagnosis.causes = {{"aslr", Severity::good, "on", "", "", false}};
  const std::string text = render_doctor_terminal(diagnosis, false, false);
  EXPECT_EQ(text.find("Nothing found here is bad for timings\n"), 0u) << text;
  EXPECT_NE(text.find("\n\n  1 good\n"), std::string::npos) << text;
}

TEST(RenderDoctor, colours_only_where_asked) {
  EXPECT_EQ(render_doctor_terminal(samples::noisy_laptop(), false, true).find('\x1b'),
            std::string::npos);
  EXPECT_NE(render_doctor_terminal(samples::noisy_laptop(), true, false)
                .find("  \x1b[1;31mbad\x1b[0m   load"),
            std::string::npos);
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

TEST(RenderDoctor, hostile_words_stay_words) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string shown = render_doctor_terminal(poisoned(text), false, true);
    for (const unsigned char c : shown) {
      EXPECT_TRUE(c == '\n' || (c >= 0x20 && c != 0x7F)) << text;
    }
    EXPECT_LT(shown.size(), 40000u);
    EXPECT_EQ(shown.find("##["), std::string::npos);
    std::istringstream lines(shown);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t first = line.find_first_not_of(' ');
      EXPECT_FALSE(first != std::string::npos && line.compare(first, 2, "::") == 0) << line;
    }
    EXPECT_EQ(Json::parse(render_doctor_json(poisoned(text)))["causes"].size(), 7u);
  }
}

TEST(RenderDoctor, an_ordinary_screen_is_80_columns_wide) {
  for (const bool verbose : {false, true}) {
    std::istringstream lines(render_doctor_terminal(samples::noisy_laptop(), false, verbose));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(reporter::display_width(line), 80u) << line;
    }
  }
}

TEST(RenderDoctorJson, holds_every_finding_and_their_counts) {
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

TEST(RenderDoctorJson, without_findings_counts_none) {
  const Json document = Json::parse(render_doctor_json({}));
  EXPECT_EQ(document["summary"]["bad"], 0);
  EXPECT_EQ(document["causes"], Json::array());
  EXPECT_TRUE(document["generated_at"].is_null());
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "reporter/escape/utf8.h"
#include "reporter/escape/visible.h"
#include "reporter/render.h"
#include "tests/reporter/hostile_text.h"
#include "tests/reporter/outside_program.h"
#include "tests/reporter/sample_reports.h"

namespace perf {
namespace {

/// A report in which every text is the hostile one.
Report poisoned(const std::string& text) {
  Report report = samples::mixed();
  report.targets = samples::targets().targets;
  for (Comparison& comparison : report.comparisons) {
    comparison.workload = text;
    comparison.metric.name = text;
    comparison.metric.unit = text;
    comparison.params[text] = text;
    comparison.notes = {text};
    comparison.warnings = {{"noisy", text + "!"}};
    comparison.phases = {{text, 0.2, 0.1, 0.3, Interval{0.1, 0.3}, true, 0.9}};
    comparison.warmup = WarmupBenefit{2, 1, 1.0};
    comparison.checks = {{text, true, false, 0.1, 0.01}};
  }
  for (TargetResult& result : report.targets) {
    result.target.name = result.target.of = result.target.metric = text;
  }
  report.base->name = report.base->rule = report.base->subject = report.base->author = text;
  report.head.name = report.head.rule = report.head.subject = report.head.oid = text;
  report.environment.machine = {{"cpu_model", text}, {text, text}};
  report.environment.facts = {{text, text}};
  report.workload_facts = {{text, {{"blas", text}, {text, text}}}};
  report.id = report.size = report.config_source = report.tool_version = text;
  report.warnings = {{"plan", text}};
  report.families = {{text, text, 0.1, Interval{0, 0.2}, 2}};
  report.trade_offs = {{text, {}, 1, {{{text, "B"}, 1}}, {{{text, text}, 1}}}};
  report.reproduce = {text};
  return report;
}

bool has_control(const std::string& text) {
  const std::vector<char32_t> codes = reporter::decode_utf8(text);
  return std::any_of(codes.begin(), codes.end(), [](char32_t code) {
    return (code < 0x20 && code != '\n') || (code >= 0x7F && code <= 0x9F) ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  });
}

/// Whether a CI service would take a line of this log for a command.
bool commands_ci(const std::string& log) {
  for (std::size_t start = 0; start < log.size();) {
    const std::size_t end = std::min(log.find('\n', start), log.size());
    const std::size_t first = log.find_first_not_of(' ', start);
    if (first < end && log.compare(first, 2, "::") == 0) {
      return true;
    }
    start = end + 1;
  }
  return log.find("##[") != std::string::npos || log.find("##vso[") != std::string::npos ||
         log.find("##teamcity[") != std::string::npos;
}

TEST(HostileReport, terminal_shows_text_and_commands_nothing) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string output = render_terminal(poisoned(text), false);
    EXPECT_FALSE(has_control(output)) << text;
    EXPECT_FALSE(commands_ci(output)) << text;
    EXPECT_LT(output.size(), 60000U) << "a long name must not flood a screen";
  }
}

TEST(HostileReport, markdown_shows_text_and_commands_nothing) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string output = render_markdown(poisoned(text));
    EXPECT_FALSE(has_control(output)) << text;
    EXPECT_FALSE(commands_ci(output)) << text;
    EXPECT_EQ(output.find("<script"), std::string::npos);
  }
}

TEST(HostileReport, markdown_keeps_its_shape_when_rendered) {
  if (!samples::has_program("cmark-gfm")) {
    GTEST_SKIP() << "cmark-gfm is not installed (Debian package cmark-gfm)";
  }
  const auto shape = [](const std::string& text) {
    bool succeeded = false;
    const std::string html = samples::output_of(
        "cmark-gfm --unsafe -e table -e strikethrough -e autolink -e tasklist -e footnotes",
        render_markdown(poisoned(text)), succeeded);
    EXPECT_TRUE(succeeded);
    std::string tags;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
      tags += html.substr(at, html.find('>', at) - at + 1) + "\n";
    }
    return tags;
  };
  const std::string harmless = shape("harmless text");
  EXPECT_NE(harmless.find("<details>"), std::string::npos);
  for (const std::string& text : samples::hostile_texts()) {
    // An empty subject or size is left out, which is another shape.
    if (!reporter::one_line(text).empty()) {
      EXPECT_EQ(shape(text), harmless) << text.substr(0, 100);
    }
  }
}

TEST(HostileReport, json_is_json_and_keeps_the_text) {
  for (const std::string& text : samples::hostile_texts()) {
    const nlohmann::json json = nlohmann::json::parse(render_json(poisoned(text)));
    const std::string back = json.at("warnings").at(0);
    EXPECT_EQ(reporter::decode_utf8(back), reporter::decode_utf8(back)) << "valid UTF-8";
    if (reporter::decode_utf8(text) == reporter::decode_utf8(back)) {
      continue;
    }
    // Only what is no UTF-8 may differ.
    EXPECT_NE(reporter::visible(text).find("\uFFFD"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace perf

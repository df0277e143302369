#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/render.h"
#include "schema/text/utf8.h"
#include "tests/reporter/hostile_text.h"
#include "tests/reporter/outside_program.h"
#include "tests/reporter/poisoned_report.h"

namespace perf {
namespace {

bool has_control(const std::string& text) {
  const std::vector<char32_t> codes = decode_utf8(text);
  return std::any_of(codes.begin(), codes.end(), [](char32_t code) {
    return (code < 0x20 && code != '\n') || (code >= 0x7F && code <= 0x9F) ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  });
}

std::string encoded(const std::vector<char32_t>& codes) {
  std::string text;
  for (const char32_t code : codes) {
    append_utf8(text, code);
  }
  return text;
}

/// A line without the white space before it, of any kind that Unicode has: GitHub's runner trims
/// it.
std::string trimmed(const std::string& line) {
  constexpr std::u32string_view spaces =
      U" \t\v\f\r\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
      U"\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF";
  std::vector<char32_t> codes = decode_utf8(line);
  codes.erase(codes.begin(), std::find_if(codes.begin(), codes.end(), [&](char32_t code) {
                return spaces.find(code) == std::u32string_view::npos;
              }));
  return encoded(codes);
}

/// Whether a CI service would take a line of this log for a command.
bool commands_ci(const std::string& log) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (trimmed(line).rfind("::", 0) == 0) {
      return true;
    }
  }
  return log.find("##[") != std::string::npos || log.find("##vso[") != std::string::npos ||
         log.find("##teamcity[") != std::string::npos;
}

TEST(HostileReport, IsTextOnTheTerminal) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string output = render_terminal(samples::poisoned_report(text), false);
    EXPECT_FALSE(has_control(output)) << text;
    EXPECT_FALSE(commands_ci(output)) << text;
    EXPECT_LT(output.size(), 60000U) << "a long name must not flood a screen";
  }
}

TEST(HostileReport, IsTextInMarkdown) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string output = render_markdown(samples::poisoned_report(text));
    EXPECT_FALSE(has_control(output)) << text;
    EXPECT_FALSE(commands_ci(output)) << text;
    EXPECT_EQ(output.find("<script"), std::string::npos);
  }
}

TEST(HostileReport, KeepsItsShapeInRenderedMarkdown) {
  if (!samples::has_program("cmark-gfm")) {
    GTEST_SKIP() << "cmark-gfm is not installed (Debian package cmark-gfm)";
  }
  const auto shape = [](const std::string& text) {
    bool succeeded = false;
    const std::string html = samples::output_of(
        "cmark-gfm --unsafe -e table -e strikethrough -e autolink -e tasklist -e footnotes",
        render_github_summary(samples::poisoned_report(text), 900 * 1024), succeeded);
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

TEST(HostileReport, StaysValidJsonWithTheText) {
  for (const std::string& text : samples::hostile_texts()) {
    const nlohmann::json json = nlohmann::json::parse(render_json(samples::poisoned_report(text)));
    const std::string back = json.at("warnings").at(0);
    EXPECT_EQ(encoded(decode_utf8(back)), back) << "valid UTF-8";
    if (decode_utf8(text) == decode_utf8(back)) {
      continue;
    }
    // Only what is no UTF-8 may differ.
    EXPECT_NE(reporter::visible(text).find("\uFFFD"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace perf

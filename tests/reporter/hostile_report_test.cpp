#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reporter/escape/visible.h"
#include "reporter/render.h"
#include "schema/text/utf8.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

TEST(HostileReport, IsTextOnTheTerminal) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string output = render_terminal(samples::poisoned_report(text), false);
    EXPECT_FALSE(samples::is_obeyed(output)) << text;
    EXPECT_LT(output.size(), 60000U) << "a long name must not flood a screen";
  }
}

TEST(HostileReport, IsTextInMarkdown) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string output = render_markdown(samples::poisoned_report(text));
    EXPECT_FALSE(samples::is_obeyed(output)) << text;
    EXPECT_FALSE(contains(output, "<script"));
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
  EXPECT_TRUE(contains(harmless, "<details>"));
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
    EXPECT_EQ(samples::encoded(decode_utf8(back)), back) << "valid UTF-8";
    if (decode_utf8(text) == decode_utf8(back)) {
      continue;
    }
    // Only what is no UTF-8 may differ.
    EXPECT_TRUE(contains(reporter::visible(text), "\uFFFD")) << text;
  }
}

}  // namespace
}  // namespace perf

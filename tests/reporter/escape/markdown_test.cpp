#include "reporter/escape/markdown.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "reporter/escape/visible.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

/// Where GitHub would find a reference to an issue.
const std::regex kReference("(#|(?:^|[^0-9A-Za-z])[Gg][Hh]-)(?=[0-9])");

/// What a reader should see, as cmark writes it: the text, a zero-width space after each @. Without
/// `is_code`, where GitHub looks for no references, one before their numbers too.
std::string as_html(const std::string& seen, bool is_code = false) {
  const std::string text = is_code ? seen : std::regex_replace(seen, kReference, "$1\u200B");
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '@':
        html += "@\u200B";
        break;
      default:
        html += c;
    }
  }
  return html;
}

/// GitHub's Markdown with all its extensions, raw HTML let through so that it would be seen.
std::string rendered(const std::string& markdown) {
  bool succeeded = false;
  const std::string html = samples::output_of(
      "cmark-gfm --unsafe -e table -e strikethrough -e autolink -e tasklist -e footnotes", markdown,
      succeeded);
  EXPECT_TRUE(succeeded) << html;
  return html;
}

class MarkdownRendered : public testing::Test {
 protected:
  void SetUp() override {
    if (!samples::has_program("cmark-gfm")) {
      GTEST_SKIP() << "cmark-gfm is not installed (Debian package cmark-gfm)";
    }
  }
};

TEST_F(MarkdownRendered, ShowsTextLiterallyInParagraphs) {
  std::string markdown, expected;
  for (const std::string& text : samples::hostile_texts()) {
    const std::string seen = one_line(text);
    if (!seen.empty()) {
      markdown += markdown_line(seen) + "\n\n";
      expected += "<p>" + as_html(seen) + "</p>\n";
    }
  }
  EXPECT_EQ(rendered(markdown), expected);
}

TEST_F(MarkdownRendered, ShowsTextLiterallyInListItems) {
  std::string markdown, expected = "<ul>\n";
  for (const std::string& text : samples::hostile_texts()) {
    const std::string seen = one_line(text);
    if (!seen.empty()) {
      markdown += "- " + markdown_line(seen) + "\n";
      expected += "<li>" + as_html(seen) + "</li>\n";
    }
  }
  EXPECT_EQ(rendered(markdown), expected + "</ul>\n");
}

TEST_F(MarkdownRendered, ShowsTextLiterallyInTableCells) {
  std::string markdown = "| a | b | c |\n| --- | --- | --- |\n";
  std::string expected =
      "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n<th>c</th>\n</tr>\n</thead>\n<tbody>\n";
  for (const std::string& text : samples::hostile_texts()) {
    const std::string seen = one_line(text);
    if (!seen.empty()) {
      markdown += "| " + markdown_text(seen) + " | " + markdown_code(seen) + " | end |\n";
      expected += "<tr>\n<td>" + as_html(seen) + "</td>\n<td><code>" + as_html(seen, true) +
                  "</code></td>\n<td>end</td>\n</tr>\n";
    }
  }
  EXPECT_EQ(rendered(markdown), expected + "</tbody>\n</table>\n");
}

TEST(MarkdownText, ReferencesNoIssue) {
  EXPECT_EQ(markdown_text("#1"), "\\#\u200B1");
  EXPECT_EQ(markdown_text("see org/repo#12"), "see org/repo\\#\u200B12");
  EXPECT_EQ(markdown_text("GH-3, gh-4"), "GH-\u200B3, gh-\u200B4");
  EXPECT_EQ(markdown_line("#1"), "\\#\u200B1");
  EXPECT_EQ(markdown_text("C# 4, high-1, #x, GH-x"), "C\\# 4, high-1, \\#x, GH-x");
}

TEST(MarkdownText, StaysReadableForOrdinaryText) {
  EXPECT_EQ(markdown_text("412 ms -> 471 ms, +14.3 %"), "412 ms -> 471 ms, +14.3 %");
  EXPECT_EQ(markdown_line("Fuse the bias (again); it's done."),
            "Fuse the bias (again); it's done.");
  EXPECT_EQ(markdown_code("training/mlp_stack"), "`training/mlp_stack`");
}

TEST(HtmlCommand, IsCopiedLiterallyAndStartsNoCiCommand) {
  EXPECT_EQ(html_command("perf-compare a b -w ' ::error::r'"),
            "perf-compare a b -w &#39; &#58;:error&#58;:r&#39;");
  EXPECT_EQ(html_command("::x ##[group]y :::"), "&#58;:x &#35;#[group]y &#58;&#58;:");
  EXPECT_EQ(html_command("日本 <b> & \x1b"), "日本 &#60;b&#62; &#38; ␛");
}

TEST(MarkdownText, StaysOnOneLineWithoutMentions) {
  for (const std::string& text : samples::hostile_texts()) {
    for (const std::string& escaped :
         {markdown_text(text), markdown_line(text), markdown_code(text)}) {
      EXPECT_EQ(escaped.find_first_of("\n\r\x1b"), std::string::npos);
      EXPECT_EQ(escaped.find("##["), std::string::npos);
      for (std::size_t at = escaped.find('@'); at != std::string::npos;
           at = escaped.find('@', at + 1)) {
        EXPECT_EQ(escaped.compare(at + 1, 3, "\u200B"), 0) << escaped;
      }
    }
  }
}

}  // namespace
}  // namespace perf::reporter

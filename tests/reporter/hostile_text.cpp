#include <algorithm>
#include <sstream>
#include <string_view>

#include "schema/text/utf8.h"
#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

bool has_control(const std::string& text) {
  const std::vector<char32_t> codes = decode_utf8(text);
  return std::any_of(codes.begin(), codes.end(), [](char32_t code) {
    return (code < 0x20 && code != '\n') || (code >= 0x7F && code <= 0x9F) ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  });
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

}  // namespace

const std::vector<std::string>& hostile_texts() {
  using namespace std::string_literals;
  static const std::vector<std::string> texts{
      // Tags and entities.
      "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
      "</details></table><h1>fine</h1>", "</script><script>alert(1)</script>", "]]>", "<![CDATA[x",
      "<!-- hidden", "<details>", "&lt;b&gt; &#60;b&#62; &amp;", "<https://evil.example>",
      "a < b > c & d",
      // Markdown.
      "a|b||c", "\\|", "a\\|b\\\\|c\\", "`", "``", "a`b``c", "` a `",
      "*bold* **strong** _em_ __x__ ~~gone~~", "[x](https://evil.example)",
      "![x](https://evil.example/x.png)", "[x]: https://evil.example", "[ ] todo", "[^1]",
      "# heading", "## h ##", "- item", "+ item", "* item", "1. item", "12) item", "> quote", "---",
      "===", "***", "```sh", "~~~", "    indented", "| a | b |", "|---|---|", ":--", "$x^2$",
      "$`x`$", "\\(x\\)", "line\n\n# next paragraph", "hard\\\nbreak", "two  \nspaces", "!", "!!",
      // Links that nobody wrote.
      "https://evil.example/x", "HTTP://EVIL.EXAMPLE", "ftp://evil.example", "www.evil.example",
      "see www.evil.example", "WWW.evil.example", "mail a.b@evil.example now",
      "mailto:a@evil.example", "xmpp:a@evil.example",
      // Mentions and references.
      "@team", "ping @org/team, please", "@", "@@x", "a@b", "GH-1 #1 org/repo#1", "#1", "gh-12",
      "(GH-3)", "fixes #4, #5 and org/repo#6", "_GH-7_", "é#8", "éGH-9",
      // Commands in the logs of CI services.
      "::error::planted", " ::warning file=x::planted", "\n::add-mask::x",
      "text ::stop-commands::x",
      // ... after spaces that are trimmed from a line's start like any other.
      "\u2003::error::planted", "\u3000::error::target",
      std::string(93, 'x') + " \u2003::stop-commands::pwned",
      std::string(93, 'x') + "\u00A0\u1680\u2000\u200A\u2028\u2029\u202F\u205F\u3000::add-mask::x",
      "\u0085::error::x", "##[error]planted", "##vso[task.complete result=Failed]",
      "##teamcity[buildStop]", "###[group]x", "::set-output name=x::y", "x<<EOF",
      "verdict=unchanged\nx=y", "%0A::error::x", "%250A", "Foo::bar<int>::baz",
      // Escape sequences and controls.
      "\x1b[2J\x1b[31mred\x1b[0m", "\x1b]8;;https://evil.example\x07link\x1b]8;;\x07",
      "\x1b]0;title\x07", "\x1bP+q\x1b\\",
      "\xc2\x9b"
      "31m",
      "bell\x07 back\x08space", "a\rb", "a\tb\vc\fd", "nul\0byte"s, "del\x7f", "\x85 \x9b raw C1",
      // Bidirectional and invisible characters.
      "abc\u202Edef\u202C", "\u2066\u2067\u2068\u2069", "\u200E\u200F\u061C",
      "zero\u200Bwidth\u2060\uFEFF", "line\u2028para\u2029", "soft\u00ADhyphen",
      "tag\U000E0041\U000E007F", "\u3164\u115F", "no characters\uFFFE\uFFFF",
      // Not UTF-8.
      "\xff\xfe", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "cut\xe2\x82", "\xe2\x28\xa1",
      "\x80",
      // Long ones, and what else is text.
      std::string(10240, 'x'), std::string(10240, '|'),
      std::string(5000, '`') + std::string(5000, '@'), "", " ", "\n", "日本語 workload",
      "naïve café", "emoji 🚀", "e\u0301", "%s %n {} {0}", "'\"; rm -rf / #"};
  return texts;
}

std::string encoded(const std::vector<char32_t>& codes) {
  std::string text;
  for (const char32_t code : codes) {
    append_utf8(text, code);
  }
  return text;
}

bool is_obeyed(const std::string& text) {
  return has_control(text) || commands_ci(text);
}

}  // namespace perf::samples

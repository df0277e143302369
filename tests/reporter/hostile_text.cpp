#include "tests/reporter/hostile_text.h"

namespace perf::samples {

const std::vector<std::string>& hostile_texts() {
  using namespace std::string_literals;
  static const std::vector<std::string> texts{
      // Tags and entities.
      "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
      "</details></table><h1>fine</h1>", "</script><script>alert(1)</script>", "]]>", "<![CDATA[x", "<!-- hidden", "<details>", "&lt;b&gt; &#60;b&#62; &amp;",
      "<https://evil.example>", "a < b > c & d",
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
      "@team", "ping @org/team, please", "@", "@@x", "a@b", "GH-1 #1 org/repo#1",
      "#1", "gh-12", "(GH-3)", "fixes #4, #5 and org/repo#6", "_GH-7_", "é#8", "éGH-9",
      // Commands in the logs of CI services.
      "::error::planted", " ::warning file=x::planted", "\n::add-mask::x",
      "text ::stop-commands::x",
      // ... after spaces that are trimmed from a line's start like any other.
      "\u2003::error::planted", "\u3000::error::target",
      std::string(93, 'x') + " \u2003::stop-commands::pwned",
      std::string(93, 'x') + "\u00A0\u1680\u2000\u200A\u2028\u2029\u202F\u205F\u3000::add-mask::x",
      "\u0085::error::x", "##[error]planted", "##vso[task.complete result=Failed]",
      "##teamcity[buildStop]", "###[group]x", "::set-output name=x::y", "x<<EOF", "verdict=unchanged\nx=y", "%0A::error::x",
      "%250A", "Foo::bar<int>::baz",
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

}  // namespace perf::samples

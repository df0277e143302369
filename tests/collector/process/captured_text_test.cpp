#include "collector/process/captured_text.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(ValidText, KeepsValidText) {
  const std::string text = "plain \t\r\n \u00E9 \u20AC \U0001F600 \x7F \x1B[31m";
  EXPECT_EQ(to_valid_text(text), text);
  EXPECT_EQ(to_valid_text(""), "");
}

TEST(ValidText, ReplacesNuls) {
  EXPECT_EQ(to_valid_text(std::string_view("a\0b", 3)), "a\uFFFDb");
}

TEST(ValidText, ReplacesMaximalParts) {
  // Unicode 15, table 3-8: one U+FFFD for each maximal subpart.
  EXPECT_EQ(to_valid_text("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
            "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
}

TEST(ValidText, ReplacesOverlongFormsSurrogatesAndTooLargeCodes) {
  EXPECT_EQ(to_valid_text("\xC0\xAF"), "\uFFFD\uFFFD");
  EXPECT_EQ(to_valid_text("\xE0\x80\xAF"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(to_valid_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(to_valid_text("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(to_valid_text("\xFF\xFE"), "\uFFFD\uFFFD");
}

TEST(ValidText, ReplacesATruncatedCharacter) {
  EXPECT_EQ(to_valid_text("a\xE2\x82"), "a\uFFFD");
  EXPECT_EQ(to_valid_text("\xF0\x9F\x98"), "\uFFFD");
}

TEST(ValidText, IsItsOwnFixedPoint) {
  std::string all;
  for (int i = 0; i < 65536; ++i) {
    all += static_cast<char>(i & 0xFF);
    all += static_cast<char>(i >> 8);
  }
  const std::string once = to_valid_text(all);
  EXPECT_EQ(to_valid_text(once), once);
}

TEST(OneLine, JoinsTrimsAndStripsControls) {
  EXPECT_EQ(to_one_line("  a\n\tb \x1B[31m c\r\n"), "a b [31m c");
  EXPECT_EQ(to_one_line("a\u0085b\u009Bc"), "a b c");  // C1 controls
  EXPECT_EQ(to_one_line(" \n\t "), "");
}

TEST(OneLine, CutsBetweenCharacters) {
  EXPECT_EQ(to_one_line("\u20AC\u20AC\u20AC", 7), "\u20AC\u20AC");
  EXPECT_EQ(to_one_line(std::string(1000, 'x')).size(), 200u);
  EXPECT_EQ(to_one_line("abc", 0), "");
}

TEST(LastLine, IsTheLastThatIsNotBlank) {
  EXPECT_EQ(last_line("first\nError: it broke\n\n  \n"), "Error: it broke");
  EXPECT_EQ(last_line("only"), "only");
  EXPECT_EQ(last_line("\n\n"), "");
  EXPECT_EQ(last_line(""), "");
}

TEST(CapturedText, KeepsTheErrorBeforeItsHint) {
  EXPECT_EQ(last_words("error: not one: dtype fp33\n  hint: one of: fp32, bf16\n"),
            "error: not one: dtype fp33; hint: one of: fp32, bf16");
  EXPECT_EQ(last_words("x\nerror: a\n  at b\nhint: c\nhint: d\n\n"),
            "error: a; at b; hint: c; hint: d");
  EXPECT_EQ(last_words("first\nno such file\nhint: another\n"), "no such file; hint: another");
  EXPECT_EQ(last_words("error: a\nhint: b\nstopped\n"), "stopped");
  EXPECT_EQ(last_words("hint: b"), "hint: b");
  EXPECT_EQ(last_words("error: 1\n2\n3\n4\n5\n6\n7\n8\nhint: 9"), "8; hint: 9") << "too far off";
  EXPECT_EQ(last_words("\n\n"), "");
}

}  // namespace
}  // namespace perf

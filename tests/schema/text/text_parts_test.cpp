#include "schema/text/text_parts.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace perf {
namespace {

TEST(TextParts, SplitLines) {
  std::string_view text = "a\n\nb";
  EXPECT_EQ(take_line(text), "a");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(take_line(text), "b");
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(take_line(text), "");
}

TEST(TextParts, SplitWords) {
  std::string_view text = "  one\ttwo ";
  EXPECT_EQ(take_word(text), "one");
  EXPECT_EQ(take_word(text), "two");
  EXPECT_EQ(take_word(text), "");
  text = "a b;c";
  EXPECT_EQ(take_word(text, ";"), "a b");
}

TEST(TextParts, TrimBlanks) {
  EXPECT_EQ(trimmed(" \t a b\r"), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(TextParts, ParseWholeNumbers) {
  EXPECT_EQ(parsed<std::int64_t>("-42"), -42);
  EXPECT_EQ(parsed<unsigned>("ff", 16), 255u);
  EXPECT_EQ(parsed<double>("1e3"), 1000);
  for (const char* text : {"", " 1", "1 ", "1x", "99999999999999999999"}) {
    EXPECT_EQ(parsed<std::int64_t>(text), std::nullopt) << text;
  }
  EXPECT_EQ(parsed<unsigned>("-1"), std::nullopt);
}

TEST(TextParts, JoinTexts) {
  EXPECT_EQ(joined({"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(joined({"", "b"}, "|"), "|b");
  EXPECT_EQ(joined({}, ", "), "");
}

TEST(TextParts, ConvertToLowerCaseInAnyLocale) {
  EXPECT_EQ(lower("aBZ_09\xC3\x84"), "abz_09\xC3\x84");
}

}  // namespace
}  // namespace perf

#include "schema/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace perf {
namespace {

TEST(Utf8, TakesEveryLength) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("a\xC2\xB5\xE2\x82\xAC\xF0\x9F\x98\x80"));
  EXPECT_TRUE(is_utf8("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"));
}

TEST(Utf8, RefusesWhatIsNone) {
  for (const std::string text :
       {"\xff", "\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xC2", "\xE2\x82", "\xC2z", "\xF5\x80\x80\x80"}) {
    EXPECT_FALSE(is_utf8(text)) << ::testing::PrintToString(text);
  }
  EXPECT_FALSE(is_utf8(std::string("a\0b", 3)));
}

TEST(Utf8, DecodesMaximalPartsAsOneReplacementEach) {
  EXPECT_EQ(decode_utf8("a\u20AC\U0001F600"), (std::vector<char32_t>{'a', 0x20AC, 0x1F600}));
  EXPECT_EQ(decode_utf8("\xF1\x80\x80z\xE2\x82"),
            (std::vector<char32_t>{kReplacement, 'z', kReplacement}));
  EXPECT_EQ(decode_utf8("\xED\xA0\x80"), std::vector<char32_t>(3, kReplacement));
  std::string text;
  for (const char32_t code : {U'a', U'\u00E9', U'\u20AC', U'\U0001F600'}) {
    append_utf8(text, code);
  }
  EXPECT_EQ(text, "a\u00E9\u20AC\U0001F600");
}

TEST(Utf8, TellsWhereCharactersBegin) {
  EXPECT_EQ(character_start("\u20ACa", 0), 0u);
  EXPECT_EQ(character_start("\u20ACa", 1), 3u);
  EXPECT_EQ(character_start("\u20AC", 1), 3u);
  EXPECT_EQ(character_start("a", 7), 1u);
}

}  // namespace
}  // namespace perf

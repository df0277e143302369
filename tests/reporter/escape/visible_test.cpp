#include "reporter/escape/visible.h"

#include <gtest/gtest.h>

#include "schema/text/utf8.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

TEST(Visible, ShowsControlCharactersByCode) {
  EXPECT_EQ(visible("\x1b[31m"), "␛[31m");
  EXPECT_EQ(visible(std::string("a\0b", 3)), "a␀b");
  EXPECT_EQ(visible("\x7f"), "␡");
  EXPECT_EQ(visible("\xc2\x9b"), "<U+009B>");
  EXPECT_EQ(visible("a\tb\nc\rd"), "a b c d");
}

TEST(Visible, ReplacesWhiteSpaceByASpace) {
  for (const char* space : {"\u0085", "\u00A0", "\u1680", "\u2000", "\u2003", "\u200A", "\u2028",
                            "\u2029", "\u202F", "\u205F", "\u3000"}) {
    EXPECT_EQ(visible(space), " ") << space;
  }
  EXPECT_EQ(visible("\u200B"), "<U+200B>") << "no white space";
}

TEST(Visible, ShowsCharactersThatHideOrReorderText) {
  EXPECT_EQ(visible("a\u202Eb"), "a<U+202E>b");
  EXPECT_EQ(visible("\u200B"), "<U+200B>");
  EXPECT_EQ(visible("\U000E0041"), "<U+E0041>");
  EXPECT_EQ(visible("日本語 é 🚀"), "日本語 é 🚀");
}

TEST(Visible, EscapesInvisibleCharactersInJson) {
  EXPECT_EQ(escape_unseen("{\"a\":\"b\u202Ec\u200B\u200D\x7f\"}"),
            "{\"a\":\"b\\u202ec\\u200b\\u200d\\u007f\"}");
  EXPECT_EQ(escape_unseen("\"\U000E0041\""), "\"\\udb40\\udc41\"") << "a surrogate pair";
  EXPECT_EQ(escape_unseen("\"日本語 é 🚀\""), "\"日本語 é 🚀\"");
  EXPECT_EQ(escape_unseen(""), "");
}

TEST(Visible, ReplacesInvalidUtf8) {
  EXPECT_EQ(visible("\xff"), "\uFFFD");
  EXPECT_EQ(visible("\xc0\xaf"), "\uFFFD\uFFFD");                      // overlong
  EXPECT_EQ(visible("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");            // surrogate
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // past U+10FFFF
  EXPECT_EQ(visible("cut\xe2\x82"), "cut\uFFFD");
  EXPECT_EQ(visible("\xe2\x28\xa1"), "\uFFFD(\uFFFD");
}

TEST(Visible, LeavesNoControlByteInAnyHostileText) {
  for (const std::string& text : samples::hostile_texts()) {
    const std::string seen = visible(text);
    for (const char32_t code : decode_utf8(seen)) {
      EXPECT_TRUE(code >= 0x20 && !(code >= 0x7F && code <= 0x9F)) << "in " << seen;
    }
    EXPECT_EQ(visible(seen), seen) << "what is visible stays as it is";
  }
}

TEST(OneLine, CollapsesWhiteSpace) {
  EXPECT_EQ(one_line("  a \n\n b\t"), "a b");
  EXPECT_EQ(one_line(" \n"), "");
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(shortened("training/mlp_stack", 18), "training/mlp_stack");
  EXPECT_EQ(shortened("training/mlp_stack", 11), "train…stack");
  EXPECT_EQ(display_width(shortened(std::string(10240, 'x'), 80)), 80U);
  EXPECT_LE(display_width(shortened("日本語日本語日本語", 7)), 7U);
  EXPECT_EQ(shortened("ab", 1), "…");
}

TEST(Shortened, KeepsTheEndThatDistinguishesNames) {
  EXPECT_EQ(shortened("inference/generate", 11, 3), "inferen…ate");
  const std::set<std::string> names{"inference/batched_generate", "inference/cached_generate",
                                    "inference/generate"};
  const std::optional<std::size_t> tail = distinguishing_tail(names, 16);
  ASSERT_TRUE(tail);
  std::set<std::string> kept;
  for (const std::string& name : names) {
    kept.insert(shortened(name, 16, tail));
  }
  EXPECT_EQ(kept.size(), names.size());
  EXPECT_EQ(distinguishing_tail({"training/lm", "training/mlp_stack"}, 11), 5U) << "half of it";
  EXPECT_FALSE(distinguishing_tail({"aaaaaaaa1bbbbbbbb", "aaaaaaaa2bbbbbbbb"}, 6));
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("µs"), 2U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width(""), 0U);
}

}  // namespace
}  // namespace perf::reporter

#include "schema/text/plain_text.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

std::string utf16(std::u16string_view text, bool big, bool mark) {
  std::string bytes;
  for (const char16_t unit : (mark ? u"\uFEFF" : u"") + std::u16string(text)) {
    const char low = static_cast<char>(unit & 0xFFU), high = static_cast<char>(unit >> 8U);
    bytes += big ? high : low;
    bytes += big ? low : high;
  }
  return bytes;
}

TEST(PlainText, DecodesUtf16) {
  for (const bool big : {false, true}) {
    for (const bool mark : {false, true}) {
      EXPECT_EQ(plain_text(utf16(u"goos: \u00B5s \U0001F600\r\n", big, mark)),
                "goos: \xC2\xB5s \xF0\x9F\x98\x80\r\n");
    }
  }
  EXPECT_EQ(plain_text(utf16(u"goos\xD83D", false, true)), "goos\xEF\xBF\xBD") << "half a pair";
  EXPECT_EQ(plain_text(utf16(u"a", false, true) + "b"), "a\xEF\xBF\xBD") << "half a unit";
  EXPECT_EQ(plain_text(utf16(u"\uFFFF\0x", true, true)), "\xEF\xBF\xBF");
}

TEST(PlainText, RemovesMarksAndColours) {
  EXPECT_EQ(plain_text("\xEF\xBB\xBFgoos"), "goos");
  EXPECT_EQ(plain_text("\x1b[1;32mok\x1b[0m \x1b(B\x1b]8;;http://x\x1b\\y\x1b]8;;\a\x1b[K\n"),
            "ok y\n");
  EXPECT_EQ(plain_text("a\x1b]0;never ends\nb\x1b[12\nc\x1b"), "a\nb\nc");
}

TEST(PlainText, KeepsOtherText) {
  for (const std::string& text : {std::string(), std::string("{\"a\": 1}\r\n"),
                                  std::string("\xff\xff\0b", 4), std::string("a\0", 2)}) {
    EXPECT_EQ(plain_text(text), text);
  }
}

}  // namespace
}  // namespace perf

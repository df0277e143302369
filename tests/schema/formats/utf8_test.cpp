#include "schema/formats/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace perf::formats {
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

}  // namespace
}  // namespace perf::formats

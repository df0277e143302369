#include "schema/formats/series_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "schema/error.h"
#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

using Fields = std::vector<std::string>;

std::vector<NamedSeries> read(const std::string& text) {
  return read_series_file(text, "series.txt");
}

/// Where the text is refused: "series.txt:2: what".
std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const UsageError& error) {
    return error.subject + ": " + error.what;
  }
  return "taken";
}

TEST(SeparatedFields, SplitAtBlanksAndCommas) {
  EXPECT_EQ(separated_fields("a 1\t2  3"), (Fields{"a", "1", "2", "3"}));
  EXPECT_EQ(separated_fields(" a,1 , 2,\t3\r"), (Fields{"a", "1", "2", "3"}));
  EXPECT_EQ(separated_fields("a,,2,"), (Fields{"a", "", "2", ""}));
  EXPECT_EQ(separated_fields(R"("a, ""b""" 1)"), (Fields{"a, \"b\"", "1"}));
  EXPECT_EQ(separated_fields("\"open 1"), (Fields{"open 1"}));
  EXPECT_EQ(separated_fields("  \t"), Fields{});
}

TEST(SeriesFile, ReadsLinesOfANameAndItsValues) {
  const std::vector<NamedSeries> series =
      read("b 1 2.5 3e-3\r\n\na,1,NaN,,inf,+2\nnothing\n\"two words\" 7");
  ASSERT_EQ(series.size(), 4U);
  EXPECT_EQ(series[0].name, "b");
  EXPECT_EQ(series[0].values, (std::vector<double>{1, 2.5, 3e-3}));
  ASSERT_EQ(series[1].values.size(), 5U);
  EXPECT_TRUE(std::isnan(series[1].values[1]) && std::isnan(series[1].values[2]) &&
              std::isnan(series[1].values[3]));
  EXPECT_EQ(series[1].values[4], 2);
  EXPECT_TRUE(series[2].values.empty());
  EXPECT_EQ(series[3].name, "two words");
}

TEST(SeriesFile, ReadsCsvInOrderOfItsIndex) {
  for (const char* header : {"series,index,value\n", "Series, Index, Value\n", "\xEF\xBB\xBF"}) {
    const std::vector<NamedSeries> series =
        read(std::string(header) + "a,10,3\nb,0,9\na,-1,1\na,2.5,\n");
    ASSERT_EQ(series.size(), 2U);
    EXPECT_EQ(series[0].name, "a");
    ASSERT_EQ(series[0].values.size(), 3U);
    EXPECT_EQ(series[0].values[0], 1);
    EXPECT_TRUE(std::isnan(series[0].values[1]));
    EXPECT_EQ(series[0].values[2], 3);
    EXPECT_EQ(series[0].indices, (std::vector<double>{-1, 2.5, 10}));
    EXPECT_EQ(series[0].index_of(2), 10);
    EXPECT_EQ(series[1].values, std::vector<double>{9});
  }
}

TEST(SeriesFile, ReadsJson) {
  const std::vector<NamedSeries> series =
      read(R"({"a": [1, 2.5, null, NaN], "\u00e9 \"x\"": [], "big": [1234567890123456789e1]})");
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[0].values.size(), 4U);
  EXPECT_TRUE(std::isnan(series[0].values[2]) && std::isnan(series[0].values[3]));
  EXPECT_EQ(series[1].name, "\u00e9 \"x\"");
  EXPECT_DOUBLE_EQ(series[2].values[0], 12345678901234567890.0);
  EXPECT_TRUE(read("{}").empty());
}

TEST(SeriesFile, RefusesOtherTextsWithThePlace) {
  EXPECT_EQ(refusal("a 1 2\nb 1 x"),
            "series.txt:2: a value of series \"b\" is not a number: \"x\"");
  EXPECT_EQ(refusal("a 1\na 2 3"), "series.txt:2: duplicate series \"a\"");
  EXPECT_EQ(refusal("a 1e999"),
            "series.txt:1: a value of series \"a\" overflows a double: \"1e999\"");
  EXPECT_EQ(refusal("series,index,value\na,0,1\na,1"),
            "series.txt:3: 2 fields in a line of a CSV of three");
  EXPECT_EQ(refusal("series,index,value\na,0,1\na,0,2"),
            "series.txt:3: duplicate index \"0\" of series \"a\"");
  EXPECT_EQ(refusal("series,index,value\na,x,1"),
            "series.txt:2: an index of series \"a\" is not a number: \"x\"");
  EXPECT_EQ(refusal("a 1\n\xff 2"), "series.txt:2: invalid UTF-8");
  EXPECT_EQ(refusal(""), "series.txt:1: no series");
  EXPECT_EQ(refusal("{\"a\": [1,\n\"x\"]}").rfind("series.txt:2:1: ", 0), 0U);
  for (const char* text : {"a 9007199254740993", "series,index,value\na,0,-0009007199254740993",
                           "{\"a\": [\n12345678901234567890]}"}) {
    EXPECT_NE(refusal(text).find("exceeds 2^53"), std::string::npos) << text;
  }
  EXPECT_EQ(read("a 9007199254740992 9007199254740993.0 1e300")[0].values.size(), 3U);
  EXPECT_EQ(refusal("{\"a\": 1}").rfind("series.txt:1:7: ", 0), 0U);
  EXPECT_EQ(refusal("[1, 2]").rfind("series.txt:1:1: ", 0), 0U);
  EXPECT_EQ(refusal("{\"a\": [1], \"a\": [2]}").rfind("series.txt:1:", 0), 0U);
}

}  // namespace
}  // namespace perf::formats

#include "schema/formats/series_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "schema/error.h"
#include "schema/formats/reading.h"
#include "tests/contains.h"

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
  const auto split = [](const char* line) { return separated_fields(line).fields; };
  EXPECT_EQ(split("a 1\t2  3"), (Fields{"a", "1", "2", "3"}));
  EXPECT_EQ(split(" a,1 , 2,\t3\r"), (Fields{"a", "1", "2", "3"}));
  EXPECT_EQ(split("a,,2,"), (Fields{"a", "", "2", ""}));
  EXPECT_EQ(split(R"("a, ""b""" 1)"), (Fields{"a, \"b\"", "1"}));
  EXPECT_EQ(split("\"open 1"), (Fields{"open 1"}));
  EXPECT_EQ(split("  \t"), Fields{});
  EXPECT_EQ(separated_fields("a 1\t2,3\t\t4").between, " \t,\n");
  EXPECT_EQ(separated_fields("a b; 1,5 ;\"x;\";", ';').fields, (Fields{"a b", "1,5", "x;", ""}));
}

TEST(SeriesFile, ReadsLinesOfANameAndItsValues) {
  const std::vector<NamedSeries> series =
      read("# nightly\nb 1 2.5 3e-3\r\n\na,1,NaN,,inf,+2\nnothing\n\"two words\" 7");
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

TEST(SeriesFile, ReadsColumnsByTheirNames) {
  for (const char* text :
       {"index,series,value\n2,a,5\n1,a,4", "value;x;name;index\n5;p q;a;2\n4;;a;1",
        "Series\tIndex\tValue\tcommit\na\t2\t5\tffe\na\t1\t4\tabc", "# by hand\na 2 5\na 1 4",
        "index value series\n1 4 a\n2 5 a\n"}) {
    const std::vector<NamedSeries> series = read(text);
    ASSERT_EQ(series.size(), 1U) << text;
    EXPECT_EQ(series[0].name, "a") << text;
    EXPECT_EQ(series[0].values, (std::vector<double>{4, 5})) << text;
    EXPECT_EQ(series[0].indices, (std::vector<double>{1, 2})) << text;
  }
  for (const char* text :
       {"a 4\nb 1\na 5\n", "name,value\na,4\nb,1\na,5", "value;name\n4;a\n1;b\n5;a",
        "\"64\" 4\nb 1\n\"64\" 5", "value\n4\n5\n", "index,value\n2,5\n1,4\n"}) {
    const std::vector<NamedSeries> series = read(text);
    EXPECT_EQ(series[0].values, (std::vector<double>{4, 5})) << text;
    EXPECT_EQ(series.size(), text[0] == 'v' && text[5] == '\n' ? 1U : series.size()) << text;
  }
  EXPECT_EQ(read("value\n4\n5\n")[0].name, "value");
}

// Each could be read as other numbers, or as fewer.
TEST(SeriesFile, RefusesWhatIsReadInTwoWays) {
  const std::pair<const char*, const char*> cases[] = {
      {"a 1,009.7 1,010.2", "different separators"},
      {"a 1,5 2,5", "different separators"},
      {"a 1,109\na 2,210", "different separators"},
      {"BM_sort 64,1.2,1.3", "different separators"},
      {"BM_sort 64\t1.2\t1.3", "different separators"},
      {"a 1 2\t3 4", "different separators"},
      {"a,1,009.7", "leading zeros"},
      {"a,\"1,009.7\"", "is not a number"},
      {"a;1,5;2,5", "is not a number"},
      {"series;index;value\na;1;2,5", "is not a number"},
      {"a\t1\t\t3", "several tabs"},
      {"a|1|2", "names without values"},
      {"a", "names without values"},
      {"\"a\"", "names without values"},
      {"100.5 101 102", "no name before the values"},
      {"100.5\n101\n102", "no name before the values"},
      {"1,0,5\n1,1,6", "no name before the values"},
      {",5,6", "no name before the values"},
      {"#100 5 6", "neither a comment nor a name"},
      {"a 12ms", "is not a number"},
      {"a 1_000", "is not a number"},
      {"a 1\xC2\xA0"
       "009",
       "is not a number"},
      {"a 1e-400", "outside the range"},
      {"series,index,value,value\na,1,2,3", "duplicate column"},
      {"series,time,value\na,1,2", "no column \"index\""},
      {"series,index,value,x\na,1,2", "3 fields in a line of a CSV of 4"},
      {"commit,parse\nffe,1.5", "is not a number"},
      {"series,index,value\na,9007199254740993,2", "exceeds 2^53"},
  };
  for (const auto& [text, what] : cases) {
    EXPECT_TRUE(contains(refusal(text), what)) << text;
  }
  EXPECT_EQ(read("\"BM sort 64\" 1 2")[0].values.size(), 2U);
  EXPECT_EQ(read("\"BM sort 64\",1,2")[0].values.size(), 2U);
  EXPECT_EQ(read("a, 1 , 2")[0].values.size(), 2U);
}

/// What is wrong, where, and what to write instead.
std::string advice(const std::string& text) {
  try {
    read(text);
  } catch (const UsageError& error) {
    return error.subject + ": " + error.what + "; " + error.hint;
  }
  return "taken";
}

TEST(SeriesFile, SaysWhatToWriteForPointsInTime) {
  const std::pair<const char*, const char*> cases[] = {
      {"2024-03-01 100\n2024-03-02 101\n",
       "txt:1: the first column has dates, not names of series; "
       "leave that column out and begin with a line \"value\""},
      {"date,value\n2024-03-01,100\n2024-03-01,101", "txt:2: the first column has dates"},
      {"2024-03-01T02:00:00Z,100\n2024-03-02T02:00:00Z,101", "txt:1: the first column has dates"},
      {"2024-03-01 02:00:00 +0100,100\n2024-03-02 02:00:00 +0100,101",
       "txt:1: the first column has dates"},
      {"when;ns\n1.3.2024;100\n2.3.2024;101", "txt:2: the first column has dates"},
      {"# nightly\n3/1/2024\t100\n3/2/2024\t101", "txt:2: the first column has dates"},
      {"date,parse,sort\n2024-03-01,1,2\n2024-03-02,1,2",
       "write each other one as a line: its name, then its values"},
      {"7cd9055,100\n12345e7,101", "txt:1: the first column has commit ids, not names of series"},
      {"commit,value\n7cd9055,100\na2345e7,101", "txt:2: the first column has commit ids"},
      {"series,index,value\na,2024-03-01,1",
       "txt:2: an index of series \"a\" is not a number: "
       "\"2024-03-01\"; number them 1, 2, 3"},
      {"index,value\n7cd9055,1", "number them 1, 2, 3"},
      {"v1 1\nv2 1\nv3 2\nv4 1\nv5 1\nv6 1\n", "txt:1: each line has a name of its own, and one"},
      {"{\"a\": 1}\n{\"a\": 2}",
       "txt:1: JSON Lines, each line a text of its own; write CSV: (echo "
       "series,value; jq -r '[.NAME, .VALUE] | @csv' FILE)"},
      {"[1, 2]\n\n[3]\n", "JSON Lines"},
  };
  for (const auto& [text, words] : cases) {
    EXPECT_TRUE(contains(advice(text), words)) << text;
  }
  for (const char* text :
       {"2024-03-01 1 2 3\n2024-03-02 4 5 6", "1234567,1\nabc 2", "feedbeef 1", "2024-13 1\nx 2",
        "series,index,value\n2024-03-01,1,1\n2024-03-02,1,1", "v1 1\nv2 1", "{\n\"a\": [1]\n}"}) {
    EXPECT_EQ(advice(text), text[0] == '1' ? advice(text) : "taken") << text;
  }
}

TEST(SeriesFile, SaysWhatToWriteForUnitsAndEqualNames) {
  EXPECT_EQ(advice("a 100.25ms 101ms"),
            "series.txt:1: a value of series \"a\" is not a number: \"100.25ms\"; write it without "
            "a unit: "
            "100.25");
  EXPECT_TRUE(contains(advice("a 1.5%"), "without a unit: 1.5"));
  EXPECT_FALSE(contains(advice("a 7cd9055x"), "without a unit"));
  EXPECT_EQ(advice("a 1 2 3\na 4 5 6"),
            "series.txt:2: duplicate series \"a\"; write all its values in one line, or name the "
            "other one "
            "differently");
}

TEST(SeriesFile, TakesNumbersOfWindowsThatAreNoneForGaps) {
  for (const char* gap : {"-nan(ind)", "1.#QNAN", "-1.#IND00", "1.#INF", "+inf", "nan(snan)"}) {
    const std::vector<double> values = read("a 1 " + std::string(gap) + " 3")[0].values;
    ASSERT_EQ(values.size(), 3u) << gap;
    EXPECT_TRUE(std::isnan(values[1])) << gap;
  }
  EXPECT_TRUE(contains(refusal("a 1.#"), "is not a number"));
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
            "series.txt:1: a value of series \"a\" is outside the range of a double: \"1e999\"");
  EXPECT_EQ(refusal("series,index,value\na,0,1\na,1"),
            "series.txt:3: 2 fields in a line of a CSV of 3");
  EXPECT_EQ(refusal("series,index,value\na,0,1\na,0,2"),
            "series.txt:3: duplicate index \"0\" of series \"a\"");
  EXPECT_EQ(refusal("series,index,value\na,x,1"),
            "series.txt:2: an index of series \"a\" is not a number: \"x\"");
  EXPECT_EQ(refusal("a 1\n\xff 2"), "series.txt:2: invalid UTF-8");
  EXPECT_EQ(refusal(""), "series.txt:1: no series");
  EXPECT_EQ(refusal("{\"a\": [1,\n\"x\"]}").rfind("series.txt:2:1: ", 0), 0U);
  for (const char* text : {"a 9007199254740993", "series,index,value\na,0,-0009007199254740993",
                           "{\"a\": [\n12345678901234567890]}"}) {
    EXPECT_TRUE(contains(refusal(text), "exceeds 2^53")) << text;
  }
  EXPECT_EQ(read("a 9007199254740992 9007199254740993.0 1e300")[0].values.size(), 3U);
  EXPECT_EQ(refusal("{\"a\": 1}").rfind("series.txt:1:7: ", 0), 0U);
  EXPECT_EQ(refusal("[1, 2]").rfind("series.txt:1:1: ", 0), 0U);
  EXPECT_EQ(refusal("{\"a\": [1], \"a\": [2]}").rfind("series.txt:1:", 0), 0U);
}

}  // namespace
}  // namespace perf::formats

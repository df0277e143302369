#include <gtest/gtest.h>

#include "schema/formats/json.h"
#include "tests/contains.h"
#include "tests/thrown_by.h"

namespace perf::formats {
namespace {

JsonFault fault_of(std::string_view text, const JsonLimits& limits = {}) {
  return thrown_by<JsonFault>([&] { read_json(text, limits); });
}

const JsonValue& at(const JsonValue& value, std::string_view name) {
  const JsonMember* member = find_member(std::get<JsonObject>(value.data), name);
  EXPECT_NE(member, nullptr) << name;
  return member->value;
}

TEST(JsonReader, AllowsUnreadLargeIntegers) {
  const JsonLimits limits{.large_integers = true};
  for (const char* text : {"18446744073709551615", "-9007199254740993", "9223372036854775808",
                           "123456789012345678901234567890"}) {
    const JsonValue value = read_json(text, limits);
    EXPECT_TRUE(std::holds_alternative<LargeInteger>(value.data)) << text;
    EXPECT_THROW(as_number(value, "x"), JsonFault);
    EXPECT_THROW(as_integer(value, "x"), JsonFault);
    EXPECT_EQ(kind_of(value), "an integer beyond 2^53");
  }
  EXPECT_EQ(std::get<std::int64_t>(read_json("9007199254740992", limits).data),
            std::int64_t{1} << 53);
  EXPECT_THROW(read_json("18446744073709551615"), JsonFault);
}

/// What was read last of a text that is no JSON never gets into the message, whatever it says.
TEST(JsonReader, ReportsTheExpectedToken) {
  EXPECT_EQ(fault_of("[1 \"; expected \xff\"").what.find('\xff'), std::string::npos);
  EXPECT_EQ(fault_of("{\"a; expected p\xd9\":1}").what.find('\xd9'), std::string::npos);
  EXPECT_EQ(fault_of("// i\xee; expected \xff\n").what.find('\xff'), std::string::npos);
  EXPECT_EQ(fault_of("[1 2]").what, "not valid JSON: unexpected number literal; expected ']'");
}

TEST(JsonReader, BuildsATree) {
  const JsonValue root =
      read_json(R"({"a": [1, -2, 2.5, "x\n\u00e4", true, false, null, [], {}], "b": {"c": {}}})");
  const JsonArray& items = std::get<JsonArray>(at(root, "a").data);
  ASSERT_EQ(items.size(), 9u);
  EXPECT_EQ(std::get<std::int64_t>(items[0].data), 1);
  EXPECT_EQ(std::get<std::int64_t>(items[1].data), -2);
  EXPECT_EQ(std::get<double>(items[2].data), 2.5);
  EXPECT_EQ(std::get<std::string>(items[3].data), "x\n\xc3\xa4");
  EXPECT_TRUE(std::get<bool>(items[4].data));
  EXPECT_FALSE(std::get<bool>(items[5].data));
  EXPECT_TRUE(items[6].is_null());
  EXPECT_TRUE(std::get<JsonArray>(items[7].data).empty());
  EXPECT_TRUE(std::get<JsonObject>(items[8].data).empty());
  EXPECT_TRUE(std::get<JsonObject>(at(at(root, "b"), "c").data).empty());
}

TEST(JsonReader, KeepsThePlaceOfEveryValue) {
  const std::string text =
      "{ \"na\\\"me\\\\\" : [10,-2.5e1 , \"a\\\"b\", true,false, null,\n 7 ],\"z\":\"\"}";
  const JsonValue root = read_json(text);
  const JsonObject& object = std::get<JsonObject>(root.data);
  ASSERT_EQ(object.size(), 2u);
  EXPECT_EQ(root.offset, 0u);
  EXPECT_EQ(object[0].name, "na\"me\\");
  EXPECT_EQ(object[0].offset, text.find("\"na"));
  EXPECT_EQ(object[0].value.offset, text.find('['));
  const JsonArray& items = std::get<JsonArray>(object[0].value.data);
  const std::vector<std::string> written{"10", "-2.5", "\"a", "true", "false", "null", "7"};
  ASSERT_EQ(items.size(), written.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(items[i].offset, text.find(written[i])) << written[i];
  }
  EXPECT_EQ(object[1].offset, text.find("\"z"));
  EXPECT_EQ(object[1].value.offset, text.rfind("\"\""));
  EXPECT_EQ(read_json("12").offset, 0u);
  EXPECT_EQ(read_json(" 12").offset, 1u);
}

TEST(JsonReader, CountsLinesAndColumnsFromOne) {
  const std::string text = "ab\ncd\n\nx";
  EXPECT_EQ(place_of(text, 0, "f"), "f:1:1");
  EXPECT_EQ(place_of(text, 4, "f"), "f:2:2");
  EXPECT_EQ(place_of(text, text.find('x'), "f"), "f:4:1");
  EXPECT_EQ(place_of(text, 1000, "f"), "f:4:2");
}

TEST(JsonReader, RefusesInvalidJson) {
  for (const char* text :
       {"",        " ",     "{",       "}",         "[1,]",      "{\"a\":1,}",  "{a:1}",
        "{'a':1}", "[1 2]", "01",      "+1",        ".5",        "1.",          "1e",
        "0x10",    "tru",   "nul",     "NaN",       "-NaN",      "Infinity",    "-Infinity",
        "nan",     "\"abc", "\"\t\"",  "\"\\x\"",   "\"\\u12\"", "\"\\ud800\"", "\"\\udc00x\"",
        "[1] 2",   "{} {}", "// c\n1", "/* c */ 1", "#1",        "\xef\xbb",    "[1}",
        "{\"a\"}"}) {
    EXPECT_EQ(fault_of(text).what.rfind("not valid JSON: ", 0), 0u) << text;
  }
}

TEST(JsonReader, ReportsNaNAsInvalid) {
  for (const char* text : {"{\"a\":NaN}", "[1, NaN]", "[-Infinity]", "nan", "[inf]"}) {
    EXPECT_TRUE(contains(fault_of(text).what, "NaN and infinities")) << text;
  }
}

TEST(JsonReader, ReportsThePlaceOfAFault) {
  EXPECT_EQ(fault_of("[1, x]").offset, 4u);
  EXPECT_EQ(fault_of("{\"a\": 1, \"a\": 2}").offset, 9u);
  EXPECT_EQ(fault_of("[1, 1e999]").offset, 4u);
  EXPECT_EQ(fault_of("[1, 9007199254740993]").offset, 4u);
}

TEST(JsonReader, ReportsShortFaultsWithoutRawBytes) {
  const std::string garbage = "[\"" + std::string(100'000, 'a') + "\x01\xff\xfe";
  const JsonFault fault = fault_of(garbage);
  EXPECT_LT(fault.what.size(), 200u);
  for (const char c : fault.what) {
    EXPECT_TRUE(c >= ' ' && c < 0x7f);
  }
  const JsonFault twice =
      fault_of("{\"" + std::string(5000, 'k') + "\":1,\"" + std::string(5000, 'k') + "\":2}");
  EXPECT_LT(twice.what.size(), 200u);
}

TEST(JsonReader, RefusesDuplicateKeysAtAnyDepth) {
  EXPECT_TRUE(contains(fault_of(R"([{"x":{"k":1,"b":2,"k":3}}])").what, "duplicate key \"k\""));
  // The same name, written in two ways.
  EXPECT_TRUE(contains(fault_of(R"({"k":1,"\u006b":2})").what, "duplicate key"));
  EXPECT_NO_THROW(read_json(R"([{"k":1},{"k":{"k":2}}])"));
}

TEST(JsonReader, RefusesBadUtf8) {
  for (const char* text :
       {"\"\xff\"", "\"\xc3\"", "\"\xc0\xaf\"", "\"\xe0\x80\x80\"", "\"\xed\xa0\x80\"",
        "\"\xf4\x90\x80\x80\"", "\"\x80\"", "{\"\xfe\":1}"}) {
    EXPECT_TRUE(contains(fault_of(text).what, "UTF-8")) << text;
  }
  EXPECT_NO_THROW(read_json("\"\xf4\x8f\xbf\xbf \xe2\x82\xac\""));
}

TEST(JsonReader, RefusesNumbersThatItCannotRepresent) {
  for (const char* text : {"1e309", "-1e400", "123456e99999999999999999999"}) {
    EXPECT_EQ(fault_of(text).what, "number too large for a double: " + in_quotes(text));
  }
  for (const char* text : {"1e-400", "-0.001e-330", "1e-99999999999999999999"}) {
    EXPECT_EQ(fault_of(text).what, "number too small for a double: " + in_quotes(text));
  }
  for (const char* text : {"9007199254740993", "-9007199254740993", "9223372036854775807",
                           "-9223372036854775808", "18446744073709551615", "18446744073709551616",
                           "-99999999999999999999", "1000000000000000000000000000000000000000"}) {
    EXPECT_TRUE(contains(fault_of(text).what, "2^53")) << text;
  }
}

TEST(JsonReader, KeepsNumbersAtTheEdges) {
  EXPECT_EQ(std::get<std::int64_t>(read_json("9007199254740992").data), 9007199254740992);
  EXPECT_EQ(std::get<std::int64_t>(read_json("-9007199254740992").data), -9007199254740992);
  EXPECT_EQ(std::get<double>(read_json("5e-324").data), 5e-324);
  EXPECT_EQ(std::get<double>(read_json("1.7976931348623157e308").data), 1.7976931348623157e308);
  EXPECT_EQ(std::get<double>(read_json("0e-999").data), 0);
  EXPECT_EQ(std::get<double>(read_json("1e18").data), 1e18);
  EXPECT_EQ(std::get<std::int64_t>(read_json("-0").data), 0);
}

TEST(JsonReader, BoundsDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_NO_THROW(read_json(nested(64)));
  EXPECT_TRUE(contains(fault_of(nested(65)).what, "deeper than 64"));
  EXPECT_EQ(fault_of(nested(1'000'000)).offset, 64u);
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) {
    objects += "{\"a\":";
  }
  EXPECT_TRUE(contains(fault_of(objects).what, "deeper than 64"));
}

TEST(JsonReader, BoundsSizeAndValues) {
  JsonLimits limits;
  limits.bytes = 10;
  EXPECT_NO_THROW(read_json("[1,2,3,45]", limits));
  EXPECT_TRUE(contains(fault_of("[1,2,3,456]", limits).what, "longer than 10 bytes"));
  limits = {};
  limits.values = 4;
  EXPECT_NO_THROW(read_json("[1,2,3]", limits));
  EXPECT_TRUE(contains(fault_of("[1,2,3,4]", limits).what, "more than 4 values"));
}

TEST(JsonReader, RefusesNulCharacters) {
  EXPECT_TRUE(contains(fault_of(R"("a\u0000b")").what, "U+0000"));
  EXPECT_TRUE(contains(fault_of(R"({"a\u0000b":1})").what, "U+0000"));
  EXPECT_EQ(fault_of(std::string_view("\"a\0b\"", 5)).offset, 2u);
  // The parser below would take both for a plain 1.
  EXPECT_EQ(fault_of(std::string_view("1\0", 2)).what, "not valid JSON: a NUL byte");
  EXPECT_EQ(fault_of(std::string_view("1\0}x", 4)).offset, 1u);
}

TEST(JsonReader, TakesCommentsWhereAllowed) {
  JsonLimits limits;
  limits.comments = true;
  const std::string text = "// one \\\n{ /* two \\*/\"a\" /* \"b\" */: 1 // three\n}";
  const JsonValue root = read_json(text, limits);
  EXPECT_EQ(std::get<JsonObject>(root.data).front().offset, text.find("\"a\""));
  EXPECT_EQ(at(root, "a").offset, text.find("1 //"));
  EXPECT_TRUE(contains(fault_of("{} /* open", limits).what, "comment"));
}

TEST(JsonValue, ReportsExpectedAndActualTypes) {
  const auto what_of = [](auto read) -> std::string {
    try {
      read();
    } catch (const JsonFault& fault) {
      return fault.what;
    }
    return "accepted";
  };
  EXPECT_EQ(what_of([] { as_text(read_json("1"), "name"); }), "name must be text, not a number");
  EXPECT_EQ(what_of([] { as_number(read_json("\"1\""), "value"); }),
            "value must be a number, not text");
  EXPECT_EQ(what_of([] { as_bool(read_json("null"), "judge"); }),
            "judge must be true or false, not null");
  EXPECT_EQ(what_of([] { as_object(read_json("[]"), "params"); }),
            "params must be an object, not an array");
  EXPECT_EQ(what_of([] { as_array(read_json("{}"), "command"); }),
            "command must be an array, not an object");
  EXPECT_EQ(what_of([] { as_integer(read_json("true"), "index"); }),
            "index must be an integer, not true");
  EXPECT_EQ(what_of([] { as_integer(read_json("1.5"), "index"); }),
            "index must be an integer within +-2^53");
  EXPECT_EQ(what_of([] { as_integer(read_json("1e300"), "index"); }),
            "index must be an integer within +-2^53");
  EXPECT_EQ(as_integer(read_json("8.0"), "index"), 8);
  EXPECT_EQ(as_number(read_json("3"), "value"), 3.0);
}

TEST(InQuotes, ShowsControlsAndCutsBetweenCharacters) {
  EXPECT_EQ(in_quotes("a\x1b[31m\"\\\n"), "\"a\\x1b[31m\\x22\\x5c\\x0a\"");
  std::string euros;
  for (int i = 0; i < 100; ++i) {
    euros += "\xe2\x82\xac";
  }
  const std::string cut = in_quotes(euros);
  EXPECT_LE(cut.size(), kInQuotesLimit + 8);
  EXPECT_EQ((cut.size() - std::string("\"...\"").size()) % 3, 0u);
}

}  // namespace
}  // namespace perf::formats

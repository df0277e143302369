#include "reporter/escape/script_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/reporter/hostile_text.h"

namespace perf::reporter {
namespace {

TEST(ScriptJson, ends_no_script_and_is_the_same_value) {
  for (const std::string& text : samples::hostile_texts()) {
    const nlohmann::json value{{"name", text + "</script><!--<script>]]>&amp;"}, {text, 1.5}};
    const std::string json = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::string safe = script_json(json);
    EXPECT_EQ(safe.find_first_of("<>&"), std::string::npos) << text;
    EXPECT_EQ(nlohmann::json::parse(safe), nlohmann::json::parse(json)) << text;
  }
}

TEST(ScriptJson, line_separators_and_direction_are_escaped) {
  EXPECT_EQ(script_json("[\"\u2028\u202E\"]"), "[\"\\u2028\\u202e\"]");
}

}  // namespace
}  // namespace perf::reporter

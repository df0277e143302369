#include "reporter/escape/markup.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

TEST(ScriptJson, EndsNoScriptAndKeepsTheValue) {
  for (const std::string& text : samples::hostile_texts()) {
    const nlohmann::json value{{"name", text + "</script><!--<script>]]>&amp;"}, {text, 1.5}};
    const std::string json = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::string safe = script_json(json);
    EXPECT_EQ(safe.find_first_of("<>&"), std::string::npos) << text;
    EXPECT_EQ(nlohmann::json::parse(safe), nlohmann::json::parse(json)) << text;
  }
}

TEST(ScriptJson, EscapesLineSeparatorsAndDirection) {
  EXPECT_EQ(script_json("[\"\u2028\u202E\"]"), "[\"\\u2028\\u202e\"]");
}

TEST(WorkflowCommand, EncodesAsTheRunnerDecodes) {
  EXPECT_EQ(workflow_message("100 %: a, b"), "100 %25: a, b");
  EXPECT_EQ(workflow_property("100 %: a, b"), "100 %25%3A a%2C b");
  EXPECT_EQ(workflow_message("%0A::error::x"), "%250A::error::x");
}

TEST(WorkflowCommand, HasOneLineAndNoEndOfAProperty) {
  for (const std::string& text : samples::hostile_texts()) {
    EXPECT_EQ(workflow_message(text).find_first_of("\r\n\x1b"), std::string::npos);
    EXPECT_EQ(workflow_property(text).find_first_of("\r\n\x1b:,"), std::string::npos);
    EXPECT_EQ(workflow_message(text).find("##["), std::string::npos);
  }
}

}  // namespace
}  // namespace perf::reporter

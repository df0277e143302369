#include "reporter/escape/workflow_command.h"

#include <gtest/gtest.h>

#include "tests/reporter/hostile_text.h"

namespace perf::reporter {
namespace {

TEST(WorkflowCommand, encodes_as_the_runner_decodes) {
  EXPECT_EQ(workflow_message("100 %: a, b"), "100 %25: a, b");
  EXPECT_EQ(workflow_property("100 %: a, b"), "100 %25%3A a%2C b");
  EXPECT_EQ(workflow_message("%0A::error::x"), "%250A::error::x");
}

TEST(WorkflowCommand, has_one_line_and_no_end_of_a_property) {
  for (const std::string& text : samples::hostile_texts()) {
    EXPECT_EQ(workflow_message(text).find_first_of("\r\n\x1b"), std::string::npos);
    EXPECT_EQ(workflow_property(text).find_first_of("\r\n\x1b:,"), std::string::npos);
    EXPECT_EQ(workflow_message(text).find("##["), std::string::npos);
  }
}

}  // namespace
}  // namespace perf::reporter

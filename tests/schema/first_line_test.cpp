#include <gtest/gtest.h>

#include "schema/text/text_parts.h"

namespace perf {
namespace {

TEST(FirstLine, SplitsTheFailureFromItsReason) {
  EXPECT_EQ(first_line("it failed\na\nb"), "it failed");
  EXPECT_EQ(further_lines("it failed\na\nb"), "a\nb");
  EXPECT_EQ(first_line("it failed"), "it failed");
  EXPECT_EQ(further_lines("it failed"), "");
}

TEST(FirstLine, JoinsReasonAndPlaceOnOneLine) {
  EXPECT_EQ(on_one_line("it failed\nerror: a\nerror: b\nsee x.log"),
            "it failed: error: a; see x.log");
  EXPECT_EQ(on_one_line("it failed\nsee x.log"), "it failed: see x.log");
  EXPECT_EQ(on_one_line("it failed"), "it failed");
  EXPECT_EQ(on_one_line(""), "");
}

}  // namespace
}  // namespace perf

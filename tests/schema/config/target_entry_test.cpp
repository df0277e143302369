#include <gtest/gtest.h>

#include "tests/schema/config/config_text.h"

namespace perf {
namespace {

std::string target(const std::string& keys) {
  return config_with("\"targets\": [{\"name\": \"t\"" + keys + "}]");
}

TEST(TargetEntry, NeedsAWorkloadAndOneBound) {
  const Target read_target =
      read(target(R"(, "of": "w", "at_least": 2, "size": "full")")).targets[0];
  EXPECT_EQ(read_target.name, "t");
  EXPECT_EQ(read_target.of, "w");
  EXPECT_EQ(read_target.over, "");
  EXPECT_EQ(read_target.at_least, 2.0);
  EXPECT_EQ(read_target.at_most, std::nullopt);
  EXPECT_EQ(read_target.size, "full");
  EXPECT_REFUSED(target(R"(, "at_least": 2)"), "target \"t\" has no \"of\"");
  EXPECT_REFUSED(target(R"(, "of": "w")"), "needs one of");
  EXPECT_REFUSED(target(R"(, "of": "w", "at_least": 1, "at_most": 2)"), "needs one of");
  EXPECT_REFUSED(config_with(R"("targets": [{"of": "w", "at_most": 1}])"),
                 "a target has no \"name\"");
  EXPECT_REFUSED(config_with(R"("targets": {})"), "targets must be an array");
}

TEST(TargetEntry, BoundsAreNumbersOrDurations) {
  EXPECT_EQ(read(target(R"(, "of": "w", "at_most": "2m")")).targets[0].at_most, 120.0);
  EXPECT_EQ(read(target(R"(, "of": "w", "at_most": 0.5)")).targets[0].at_most, 0.5);
  EXPECT_REFUSED(target(R"(, "of": "w", "at_most": "50%")"), "not understood");
  EXPECT_REFUSED(target(R"(, "of": "w", "at_most": null)"), "a number, or a duration");
}

TEST(TargetEntry, NamesWorkloadsOfTheConfigOrTheirChildren) {
  EXPECT_EQ(read(target(R"(, "of": "w/child", "over": "w", "at_most": 1)")).targets[0].of,
            "w/child");
  EXPECT_REFUSED(target(R"(, "of": "ww", "at_most": 1)"),
                 R"(of "ww" is no workload of this config @2:33 | did you mean "w"?)");
  EXPECT_REFUSED(target(R"(, "of": "w", "over": "parser", "at_most": 1)"), "known: w");
  EXPECT_REFUSED(target(R"(, "of": "", "at_most": 1)"), "empty");
}

TEST(TargetEntry, SizesAreKnown) {
  EXPECT_REFUSED(target(R"(, "of": "w", "at_most": 1, "size": "ful")"), "did you mean \"full\"?");
}

}  // namespace
}  // namespace perf

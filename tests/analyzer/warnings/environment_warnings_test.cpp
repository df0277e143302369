#include <gtest/gtest.h>

#include "analyzer/warnings/row_warnings.h"
#include "reporter/text/sentences.h"

namespace perf {
namespace {

TEST(EnvironmentWarnings, NameFactsThatChangedDuringTheRun) {
  Environment begin;
  begin.machine = {{"cores_allowed", "4"}, {"cpu_model", "A"}};
  begin.facts = {{"governor", "performance"}, {"boost", "on"}};
  Environment end = begin;
  EXPECT_TRUE(environment_warnings(begin, end).empty());
  end.machine["cores_allowed"] = "2";
  end.facts["governor"] = "powersave";
  const std::vector<Warning> warnings = environment_warnings(begin, end);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].kind, WarningKind::environment_changed);
  EXPECT_EQ(reporter::sentence(warnings[0]),
            "environment changed: cores_allowed was 4 at the start of the run, 2 at its end");
  EXPECT_EQ(reporter::sentence(warnings[1]),
            "environment changed: governor was performance at the start of the run, powersave at "
            "its end");
}

TEST(EnvironmentWarnings, IgnoreLoadAndUnknownFacts) {
  Environment begin, end;
  begin.facts = {{"load_average", "0.1"}, {"memory_available", "7"}, {"boost", "on"}};
  end.facts = {{"load_average", "2.0"}, {"memory_available", "5"}, {"governor", "powersave"}};
  begin.machine = {{"compiler", "g++ 12"}};
  EXPECT_TRUE(environment_warnings(begin, end).empty());
}

}  // namespace
}  // namespace perf

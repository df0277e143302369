#include "schema/child_name.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(ChildName, BearsTheNameOfItsEntryOnce) {
  std::set<std::string> taken;
  EXPECT_EQ(child_name("suite", "fast", taken), "suite/fast");
  EXPECT_EQ(child_name("suite", "suite/slow", taken), "suite/slow");
  EXPECT_EQ(child_name("suite", "fast", taken), "suite/fast-2");
}

TEST(ChildName, TwinsAreNumberedPastNamesThatAreTaken) {
  std::set<std::string> taken;
  EXPECT_EQ(child_name("suite", "a", taken), "suite/a");
  EXPECT_EQ(child_name("suite", "a-2", taken), "suite/a-2");
  EXPECT_EQ(child_name("suite", "suite/a", taken), "suite/a-3");
  EXPECT_EQ(child_name("suite", "a", taken), "suite/a-4");
}

}  // namespace
}  // namespace perf

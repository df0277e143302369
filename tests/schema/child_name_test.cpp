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
  const auto names = child_names("suite", {{0, "a"}, {0, "a-2"}, {1, "a"}, {0, "suite/a"}});
  EXPECT_EQ(names.at({0, "a"}), "suite/a");
  EXPECT_EQ(names.at({0, "a-2"}), "suite/a-2");
  EXPECT_EQ(names.at({0, "suite/a"}), "suite/a-3");
  EXPECT_EQ(names.at({1, "a"}), "suite/a-4");
}

}  // namespace
}  // namespace perf

#include "collector/machine/numbered.h"

#include <gtest/gtest.h>

#include "fixture_tree.h"

namespace perf {
namespace {

TEST(Numbered, EntriesAreInTheOrderOfTheirNumbers) {
  testing::FixtureTree tree;
  for (const char* name : {"cpu10", "cpu2", "cpu0", "cpufreq", "cpu", "cpu-1", "acpu1", "cpu1x"}) {
    tree.put(std::string("sys/") + name + "/online", "1\n");
  }
  std::vector<std::string> names;
  for (const auto& path : numbered_entries(tree.root() / "sys", "cpu")) {
    names.push_back(path.filename().string());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"cpu0", "cpu2", "cpu10"}));
  EXPECT_TRUE(numbered_entries(tree.root() / "absent", "cpu").empty());
}

TEST(Numbered, WholeNumbersOnly) {
  EXPECT_EQ(whole_number(" 42\t"), 42);
  EXPECT_EQ(whole_number("-7"), -7);
  for (const char* text : {"", " ", "4 2", "4.0", "0x4", "x", "99999999999999999999"}) {
    EXPECT_EQ(whole_number(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace perf

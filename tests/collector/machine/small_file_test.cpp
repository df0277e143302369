#include <gtest/gtest.h>
#include <sys/stat.h>

#include "collector/machine/readings.h"
#include "fixture_tree.h"

namespace perf {
namespace {

TEST(SmallFile, ReadsAtMostTheLimit) {
  testing::FixtureTree tree;
  tree.put("big", std::string(10000, 'x'));
  EXPECT_EQ(read_small_file(tree.root() / "big").size(), 10000u);
  EXPECT_EQ(read_small_file(tree.root() / "big", 4097).size(), 4097u);
  EXPECT_EQ(read_small_file(tree.root() / "big", 0).size(), 0u);
  EXPECT_EQ(read_small_file("/dev/zero"), "");
}

TEST(SmallFile, IsEmptyForOtherFiles) {
  testing::FixtureTree tree;
  tree.put("folder/file", "");
  ASSERT_EQ(mkfifo((tree.root() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_small_file(tree.root() / "absent"), "");
  EXPECT_EQ(read_small_file(tree.root() / "folder"), "");
  EXPECT_EQ(read_small_file(tree.root() / "pipe"), "");  // and it does not wait
}

TEST(SmallFile, CleansLines) {
  testing::FixtureTree tree;
  tree.put("line", "  performance \nsecond\n").put("blank", "\nlater\n").put("empty", "");
  tree.put("hostile", std::string("\x1B]0;x\x07 \xFF\0y", 10)).put("long", std::string(3000, 'x'));
  EXPECT_EQ(read_line_of(tree.root() / "line"), "performance");
  EXPECT_EQ(read_line_of(tree.root() / "blank"), "");
  EXPECT_EQ(read_line_of(tree.root() / "empty"), "");
  EXPECT_EQ(read_line_of(tree.root() / "hostile"), "]0;x \uFFFD\uFFFDy");
  EXPECT_EQ(read_line_of(tree.root() / "long").size(), 200u);
}

TEST(Numbered, EntriesAreSortedByNumber) {
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

TEST(Numbered, EntriesHaveWholeNumbers) {
  EXPECT_EQ(whole_number(" 42\t"), 42);
  EXPECT_EQ(whole_number("-7"), -7);
  for (const char* text : {"", " ", "4 2", "4.0", "0x4", "x", "99999999999999999999"}) {
    EXPECT_EQ(whole_number(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace perf

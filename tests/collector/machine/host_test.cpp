#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "collector/machine/environment.h"
#include "fixture_tree.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

std::size_t count_files(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Host, IsOneForEachFolder) {
  const testing::FixtureTree tree;
  const std::string id = host_id(tree.root() / "cache/perf-compare");
  EXPECT_EQ(id.size(), 32U);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos) << id;
  EXPECT_EQ(host_id(tree.root() / "cache/perf-compare"), id);
  EXPECT_NE(host_id(tree.root() / "other"), id);
  EXPECT_EQ(count_files(tree.root() / "cache/perf-compare"), 1U);
}

TEST(Host, ReplacesAnInvalidId) {
  testing::FixtureTree tree;
  for (const std::string& text : {std::string(), std::string("build-server-7\n"),
                                  std::string(32, 'G'), std::string(64, 'a')}) {
    tree.put("host", text);
    const std::string id = host_id(tree.root());
    EXPECT_NE(id, text);
    EXPECT_EQ(host_id(tree.root()), id);
  }
  EXPECT_EQ(count_files(tree.root()), 1U);
}

TEST(Host, IsNewWhereItCannotBeKept) {
  testing::FixtureTree tree;
  tree.put("file", "");
  const std::string id = host_id(tree.root() / "file");
  EXPECT_EQ(id.size(), 32U);
  EXPECT_NE(host_id(tree.root() / "file"), id);
  fs::create_directories(tree.root() / "taken/host");
  EXPECT_NE(host_id(tree.root() / "taken"), host_id(tree.root() / "taken"));
  EXPECT_EQ(count_files(tree.root() / "taken"), 1U);
}

/// Whoever begins at once has one id.
TEST(Host, IsMadeOnce) {
  for (int round = 0; round < 50; ++round) {
    const testing::FixtureTree tree;
    std::vector<std::string> ids(8);
    std::atomic<int> waiting = 0;
    std::vector<std::thread> threads;
    for (std::string& id : ids) {
      threads.emplace_back([&] {
        for (++waiting; waiting < 8;) {
        }
        id = host_id(tree.root());
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 1U);
    EXPECT_EQ(count_files(tree.root()), 1U);
  }
}

}  // namespace
}  // namespace perf

#include "workloads/program/memory_limit.h"

#include <gtest/gtest.h>

#include <fstream>

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;

class MemoryLimit : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }

  void write(const fs::path& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  std::optional<std::size_t> left() { return memory_left_by_groups(root_, root_ / "membership"); }

  fs::path root_ = fs::path(testing::TempDir()) / "memory_limit_test";
};

TEST_F(MemoryLimit, IsTheTightestOfAGroupAndThoseAboveIt) {
  write("membership", "0::/ci/job\n");
  write("ci/job/memory.max", "1000\n");
  write("ci/job/memory.current", "300\n");
  EXPECT_EQ(left(), 700U);
  write("ci/job/memory.stat", "anon 100\nfile 200\ninactive_file 150\n");
  EXPECT_EQ(left(), 850U) << "cache that is not in use would be given up";
  write("ci/memory.max", "5000\n");
  write("ci/memory.current", "4900\n");
  EXPECT_EQ(left(), 100U);
  write("ci/memory.max", "4000\n");
  EXPECT_EQ(left(), 0U);
}

TEST_F(MemoryLimit, IsFoundInAContainerThatSeesItsOwnGroupAsTheRoot) {
  write("membership", "0::/docker/0123\n");
  write("memory.max", "1000\n");
  write("memory.current", "400\n");
  EXPECT_EQ(left(), 600U);
}

TEST_F(MemoryLimit, KnowsTheFirstVersion) {
  write("membership", "9:name=systemd:/\n4:cpu,memory:/job\n3:cpuset:/\n");
  write("memory/job/memory.limit_in_bytes", "1000\n");
  write("memory/job/memory.usage_in_bytes", "600\n");
  write("memory/job/memory.stat", "cache 300\ntotal_inactive_file 100\n");
  EXPECT_EQ(left(), 500U);
}

TEST_F(MemoryLimit, IsAbsentWithoutALimit) {
  EXPECT_EQ(left(), std::nullopt) << "no such files";
  write("membership", "0::/job\n");
  write("job/memory.max", "max\n");
  write("job/memory.current", "300\n");
  EXPECT_EQ(left(), std::nullopt);
  write("membership", "4:memory:/job\n");
  write("memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  write("memory/job/memory.usage_in_bytes", "300\n");
  EXPECT_EQ(left(), std::nullopt) << "version 1 has no word for it";
}

}  // namespace
}  // namespace perf::workloads

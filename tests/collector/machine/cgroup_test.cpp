#include <gtest/gtest.h>

#include "collector/machine/readings.h"
#include "fixture_tree.h"

namespace perf {
namespace {

using testing::FixtureTree;

TEST(CpuMax, IsAShareOfAPeriod) {
  EXPECT_EQ(parse_cpu_max("150000 100000"), 1.5);
  EXPECT_EQ(parse_cpu_max("max 100000"), std::nullopt);
  for (const char* text : {"", "max", "100000", "1 0", "0 1", "-1 100000", "1 -1", "x y", "1 1 1",
                           "99999999999999999999 1"}) {
    EXPECT_EQ(parse_cpu_max(text), std::nullopt) << text;
  }
}

TEST(CpuQuota, IsTheSmallestOnTheWayUpInVersion2) {
  FixtureTree tree;
  tree.put("proc/self/cgroup", "0::/ci.slice/job\n");
  tree.put("sys/fs/cgroup/ci.slice/job/cpu.max", "max 100000\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), std::nullopt);
  tree.put("sys/fs/cgroup/ci.slice/cpu.max", "250000 100000\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 2.5);
  tree.put("sys/fs/cgroup/ci.slice/job/cpu.max", "400000 100000\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 2.5);
}

TEST(CpuQuota, IsAtTheContainersRootInVersion2) {
  FixtureTree tree;
  tree.put("proc/self/cgroup", "0::/\n").put("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 2);
}

TEST(CpuQuota, IsReadFromVersion1) {
  FixtureTree tree;
  tree.put("proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/job\n");
  tree.put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000\n");
  tree.put("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 0.5);
  tree.put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), std::nullopt);
}

TEST(CpuQuota, IsAtTheContainersRootInVersion1) {
  FixtureTree tree;
  tree.put("proc/self/cgroup", "4:cpuacct,cpu:/docker/0123456789abcdef\n");
  tree.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n");
  tree.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 3);
}

TEST(CpuQuota, IsTheSmallerOneOfAHybrid) {
  FixtureTree tree;
  tree.put("proc/self/cgroup", "4:cpu:/a\n0::/a\n");
  tree.put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "300000\n");
  tree.put("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  tree.put("sys/fs/cgroup/unified/a/cpu.max", "100000 100000\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 1);
}

TEST(CpuQuota, IsAbsentWithoutGroups) {
  const FixtureTree tree;
  EXPECT_EQ(read_cpu_quota(tree.root()), std::nullopt);
}

TEST(CpuQuota, NeverLeavesTheHierarchy) {
  FixtureTree tree;
  tree.put("outside/cpu.max", "100000 100000\n").put("sys/fs/cgroup/cpu.max", "200000 100000\n");
  tree.put("proc/self/cgroup", "0::/../../../outside\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 2);
  tree.put("proc/self/cgroup", "0::/a/../../../../outside\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 2);
}

TEST(CpuQuota, IgnoresHostileMemberships) {
  FixtureTree tree;
  for (const std::string& text :
       {std::string("::::"), std::string("0:"), std::string(":\n:\n\n"), std::string("\0:\0:\0", 5),
        "0::" + std::string(60000, '/'), "0::/" + std::string(10000, 'x')}) {
    tree.put("proc/self/cgroup", text);
    EXPECT_EQ(read_cpu_quota(tree.root()), std::nullopt);
  }
}

TEST(CpuQuota, ReadsATooLongPathAsTheRoot) {
  FixtureTree tree;
  std::string path = "0::";
  for (int i = 0; i < 20000; ++i) {
    path += "/a";
  }
  tree.put("proc/self/cgroup", path + "\n").put("sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(read_cpu_quota(tree.root()), 1);
}

TEST(CpuStat, HasPeriodsAndThrottledPeriods) {
  const auto stat = parse_cpu_stat("usage_usec 5\nnr_periods 70\nnr_throttled 7\nnr_bursts 0\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->periods, 70);
  EXPECT_EQ(stat->throttled, 7);
  for (const char* text :
       {"", "usage_usec 5\n", "nr_periods 70\n", "nr_periods x\nnr_throttled 1\n",
        "nr_periods 1\nnr_throttled -1\n", "nr_periods\nnr_throttled\n"}) {
    EXPECT_FALSE(parse_cpu_stat(text)) << text;
  }
}

TEST(Throttling, IsThatOfTheMostThrottledGroup) {
  FixtureTree tree;
  EXPECT_FALSE(read_throttling(tree.root()));
  tree.put("proc/self/cgroup", "0::/ci.slice/job\n");
  tree.put("sys/fs/cgroup/ci.slice/job/cpu.stat", "nr_periods 50\nnr_throttled 0\n");
  tree.put("sys/fs/cgroup/ci.slice/cpu.stat", "nr_periods 90\nnr_throttled 9\n");
  tree.put("sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
  const auto throttling = read_throttling(tree.root());
  ASSERT_TRUE(throttling);
  EXPECT_EQ(throttling->periods, 90);
  EXPECT_EQ(throttling->throttled, 9);
}

}  // namespace
}  // namespace perf

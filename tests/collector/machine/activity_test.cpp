#include <gtest/gtest.h>
#include <unistd.h>

#include "collector/machine/readings.h"
#include "fixture_tree.h"

namespace perf {
namespace {

using testing::FixtureTree;

/// A clock that only sleeping moves; `meanwhile` happens then.
struct ScriptedTime {
  double now = 100;
  std::function<void()> meanwhile;
  Patience patience() {
    return {[this] { return now; },
            [this](double seconds) {
              now += seconds;
              meanwhile();
            }};
  }
};

void put_quota_counts(FixtureTree& tree, int throttled) {
  tree.put("sys/fs/cgroup/cpu.stat", "usage_usec 1\nnr_periods 100\nnr_throttled " +
                                         std::to_string(throttled) + "\nthrottled_usec 9\n");
}

TEST(Activity, IsTheGrowthOfTheCounters) {
  FixtureTree tree;
  tree.put("proc/self/cgroup", "0::/\n");
  tree.put("proc/stat", "cpu 100 0 0 1000 0 0 0 10 0 0\ncpu0 1\ncpu1 1\n");
  tree.put("proc/pressure/cpu", "some avg10=0.00 total=1000000\n");
  tree.put("proc/vmstat", "nr_free_pages 7\npswpin 5\npswpout 6\n");
  tree.put("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "4\n");
  put_quota_counts(tree, 40);
  ScriptedTime time;
  time.meanwhile = [&tree] {
    tree.put("proc/stat", "cpu 150 0 0 1130 0 0 0 30 0 0\ncpu0 1\ncpu1 1\n");
    tree.put("proc/pressure/cpu", "some avg10=0.00 total=1500000\n");
    tree.put("proc/vmstat", "nr_free_pages 7\npswpin 8\npswpout 6\n");
    tree.put("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "6\n");
    put_quota_counts(tree, 45);
    const std::string ticks = std::to_string(sysconf(_SC_CLK_TCK));
    tree.put("proc/9/stat",
             "9 (make) S 1 9 9 0 -1 0 0 0 0 0 " + ticks + " 0 0 0 20 0 1 0 77 0 0\n");
  };
  const MachineActivity activity = watch_activity(tree.root(), 2, time.patience());
  EXPECT_EQ(activity.seconds, 2);
  EXPECT_EQ(activity.cpus, 2);
  EXPECT_DOUBLE_EQ(activity.busy_share.value(), 0.25);
  EXPECT_DOUBLE_EQ(activity.steal_share.value(), 0.10);
  EXPECT_DOUBLE_EQ(activity.cpu_pressure.value(), 0.25);
  EXPECT_EQ(activity.pages_swapped, 3);
  EXPECT_EQ(activity.throttled, 5);
  EXPECT_EQ(activity.thermal_events, 2);
  ASSERT_EQ(activity.busiest.size(), 1u);
  EXPECT_EQ(activity.busiest[0].name, "make");
  EXPECT_DOUBLE_EQ(activity.busiest[0].cores, 0.5);
}

TEST(Activity, IsAbsentWithoutCounters) {
  const FixtureTree tree;
  ScriptedTime time;
  time.meanwhile = [] {};
  const MachineActivity activity = watch_activity(tree.root(), 1, time.patience());
  EXPECT_FALSE(activity.busy_share || activity.steal_share || activity.cpu_pressure);
  EXPECT_FALSE(activity.pages_swapped || activity.throttled || activity.thermal_events);
  EXPECT_TRUE(activity.busiest.empty());
}

TEST(Activity, IsAbsentForDecreasingCountersOrNoTime) {
  FixtureTree tree;
  tree.put("proc/stat", "cpu 100 0 0 1000 0 0 0 10 0 0\n");
  tree.put("proc/pressure/cpu", "some total=1000000\n");
  ScriptedTime time;
  time.meanwhile = [&tree] {
    tree.put("proc/stat", "cpu 90 0 0 1100 0 0 0 10 0 0\n");
    tree.put("proc/pressure/cpu", "some total=900000\n");
  };
  const MachineActivity activity = watch_activity(tree.root(), 1, time.patience());
  EXPECT_FALSE(activity.busy_share || activity.cpu_pressure);
  time.meanwhile = [] {};
  EXPECT_FALSE(watch_activity(tree.root(), 0, time.patience()).cpu_pressure);
}

}  // namespace
}  // namespace perf

#include <gtest/gtest.h>

#include "collector/machine/readings.h"
#include "fixture_tree.h"

namespace perf {
namespace {

using testing::FixtureTree;

TEST(ThermalEvents, AreSummedOverCores) {
  FixtureTree tree;
  EXPECT_EQ(read_thermal_events(tree.root()), std::nullopt);
  tree.put("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
  tree.put("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
  tree.put("sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "x\n");
  EXPECT_EQ(read_thermal_events(tree.root()), 7);
}

void put_zone(FixtureTree& tree, const std::string& zone, const std::string& now,
              const std::string& type, const std::string& at) {
  const std::string folder = "sys/class/thermal/" + zone + "/";
  tree.put(folder + "temp", now).put(folder + "trip_point_0_type", "active");
  tree.put(folder + "trip_point_0_temp", "30000");
  tree.put(folder + "trip_point_1_type", type).put(folder + "trip_point_1_temp", at);
}

TEST(ThermalMargin, IsTheSmallestDistanceToATripPoint) {
  FixtureTree tree;
  put_zone(tree, "thermal_zone0", "45000", "critical", "100000");
  EXPECT_EQ(read_thermal_margin(tree.root()), 55);
  put_zone(tree, "thermal_zone1", "91000", "passive", "90500");
  EXPECT_EQ(read_thermal_margin(tree.root()), -0.5);
}

TEST(ThermalMargin, IgnoresOtherTripPoints) {
  FixtureTree tree;
  put_zone(tree, "thermal_zone0", "45000", "passive", "0");
  put_zone(tree, "thermal_zone1", "x", "passive", "90000");
  put_zone(tree, "thermal_zone2", "45000", "active", "90000");
  EXPECT_EQ(read_thermal_margin(tree.root()), std::nullopt);
}

}  // namespace
}  // namespace perf

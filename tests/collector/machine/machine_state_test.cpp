#include <gtest/gtest.h>

#include <cstdlib>

#include "collector/machine/environment.h"
#include "fixture_tree.h"

namespace perf {
namespace {

using testing::FixtureTree;

Patience no_time() {
  return {[] { return 0.0; }, [](double) {}};
}

ProbeSources sources_of(const FixtureTree& tree) {
  ProbeSources sources;
  sources.root = tree.root();
  return sources;
}

TEST(MachineState, IsReadFromTheRoot) {
  FixtureTree tree;
  tree.put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  tree.put("sys/firmware/acpi/platform_profile", "balanced\n");
  tree.put("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet \n");
  tree.put("proc/self/personality", "00040000\n").put("proc/self/cgroup", "0::/\n");
  tree.put("sys/fs/cgroup/cpu.max", "150000 100000\n");
  tree.put("sys/fs/cgroup/cpu.stat", "nr_periods 9\nnr_throttled 4\n");
  tree.put("proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 4 kB\nSwapTotal: 6 kB\nSwapFree: 1 kB\n");
  tree.put("proc/stat", "cpu 30 0 0 900 0 0 0 10 0 0\n");
  ProbeSources sources = sources_of(tree);
  sources.variable = [](const std::string& name) {
    return name == "OMP_NUM_THREADS" ? std::optional<std::string>("8\x1b") : std::nullopt;
  };
  const MachineState state = read_machine_state(sources, 1, no_time());
  EXPECT_EQ(state.governors, (std::map<std::string, int>{{"powersave", 1}}));
  EXPECT_EQ(state.platform_profile, "balanced");
  EXPECT_EQ(state.clock_sources, "tsc hpet");
  EXPECT_EQ(state.no_randomization, true);
  EXPECT_EQ(state.cpu_quota, 1.5);
  ASSERT_TRUE(state.throttling);
  EXPECT_EQ(state.throttling->periods, 9);
  EXPECT_EQ(state.throttling->throttled, 4);
  EXPECT_EQ(state.memory_total, 8192);
  EXPECT_EQ(state.memory_available, 4096);
  EXPECT_EQ(state.swap_used, 5120);
  EXPECT_DOUBLE_EQ(state.steal_since_boot.value(), 0.25);
  EXPECT_EQ(state.variables, (std::map<std::string, std::string>{{"OMP_NUM_THREADS", "8"}}));
}

TEST(MachineState, HasUnknownValuesWithoutSources) {
  const FixtureTree tree;
  const MachineState state = read_machine_state(sources_of(tree), 1, no_time());
  EXPECT_TRUE(state.governors.empty() && state.variables.empty());
  EXPECT_FALSE(state.platform_profile || state.clock_sources || state.vector_unit || state.cores);
  EXPECT_FALSE(state.numa_nodes || state.cpu_quota || state.throttling || state.thermal_events);
  EXPECT_FALSE(state.thermal_margin || state.no_randomization || state.memory_total);
  EXPECT_FALSE(state.memory_available || state.swap_used || state.steal_since_boot);
  EXPECT_FALSE(state.counters || state.sampling || state.has_perf || state.has_valgrind);
}

TEST(MachineState, ReadsAnOrdinaryPersonality) {
  FixtureTree tree;
  tree.put("proc/self/personality", "00000000\n");
  EXPECT_EQ(read_machine_state(sources_of(tree), 1, no_time()).no_randomization, false);
  tree.put("proc/self/personality", "not a number\n");
  EXPECT_EQ(read_machine_state(sources_of(tree), 1, no_time()).no_randomization, std::nullopt);
}

TEST(MachineState, ReadsOnlyListedVariables) {
  setenv("OMP_PROC_BIND_CANARY", "canary", 1);
  const MachineState state = read_machine_state(this_machine({}), 0, no_time());
  for (const auto& [name, value] : state.variables) {
    EXPECT_EQ(value.find("canary"), std::string::npos) << name;
  }
  EXPECT_TRUE(state.cores);
  unsetenv("OMP_PROC_BIND_CANARY");
}

}  // namespace
}  // namespace perf

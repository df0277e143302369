#include <gtest/gtest.h>
#include <unistd.h>

#include "collector/machine/readings.h"
#include "fixture_tree.h"

namespace perf {
namespace {

TEST(Steal, IsTheEighthNumberOfTheFirstLine) {
  const char* stat =
      "cpu  10132153 290696 3084719 46828483 16683 0 25195 250 175628 0\n"
      "cpu0 1393280 32966 572056 13343292 6130 0 17875 125 23933 0\nctxt 22\n";
  EXPECT_EQ(parse_steal(stat, 100), 2.5);
  EXPECT_EQ(parse_steal("intr 1\ncpu 1 2 3 4 5 6 7 8", 1), 8);
}

TEST(Steal, IsAbsentWhereTheKernelDoesNotCountIt) {
  for (const char* stat :
       {"", "cpu", "cpu 1 2 3 4 5 6 7", "cpu 1 2 3 4 5 6 7 x 9", "cpu0 1 2 3 4 5 6 7 8",
        "cpu 1 2 3 4 5 6 7 -8", "cpu 1 2 3 4 5 6 7 99999999999999999999999"}) {
    EXPECT_EQ(parse_steal(stat, 100), std::nullopt) << stat;
  }
  EXPECT_EQ(parse_steal("cpu 1 2 3 4 5 6 7 8", 0), std::nullopt);
  EXPECT_EQ(parse_steal("cpu 1 2 3 4 5 6 7 8", -1), std::nullopt);
}

TEST(Pressure, IsTheTotalOfSome) {
  EXPECT_EQ(parse_pressure("some avg10=1.00 avg60=0.20 avg300=0.13 total=3250000\n"
                           "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"),
            3.25);
  EXPECT_EQ(parse_pressure("full total=7\nsome total=0"), 0);
}

TEST(Pressure, IsAbsentWithoutIt) {
  for (const char* text : {"", "some", "some avg10=0", "full total=7",
                           "some total=", "some total=x", "some total=-1", "some total=1e9"}) {
    EXPECT_EQ(parse_pressure(text), std::nullopt) << text;
  }
}

TEST(Meminfo, IsInBytes) {
  const char* text = "MemTotal:       8145532 kB\nMemFree: 1 kB\nMemAvailable:   6145532 kB\n";
  EXPECT_EQ(parse_meminfo(text, "MemTotal"), 8145532ll * 1024);
  EXPECT_EQ(parse_meminfo(text, "MemAvailable"), 6145532ll * 1024);
  EXPECT_EQ(parse_meminfo(text, "Mem"), std::nullopt);
  EXPECT_EQ(parse_meminfo(text, "SwapTotal"), std::nullopt);
}

TEST(Meminfo, RefusesInvalidAmounts) {
  for (const char* text : {"MemTotal: 1 MB", "MemTotal: 1", "MemTotal: -1 kB", "MemTotal:",
                           "MemTotal: x kB", "MemTotal: 99999999999999999 kB", "MemTotal 1 kB"}) {
    EXPECT_EQ(parse_meminfo(text, "MemTotal"), std::nullopt) << text;
  }
}

TEST(Vmstat, CountsKilledProcesses) {
  EXPECT_EQ(parse_vmstat("nr_free_pages 12\noom_kill 3\npgfault 9\n", "oom_kill"), 3);
  EXPECT_EQ(parse_vmstat("oom_kill 0", "oom_kill"), 0);
  for (const char* text : {"", "oom_kill\n", "oom_kill -1\n", "oom_kill x\n", "oom_kills 3\n",
                           "oom_kill 18446744073709551615\n"}) {
    EXPECT_FALSE(parse_vmstat(text, "oom_kill")) << text;
  }
}

TEST(MachineLoad, IsReadFromTheRoot) {
  testing::FixtureTree tree;
  tree.put("proc/stat", "cpu 1 2 3 4 5 6 7 300 9 10\n");
  tree.put("proc/pressure/cpu", "some total=1500000\n");
  tree.put("proc/meminfo", "MemAvailable: 4 kB\n");
  const MachineLoad load = read_machine_load(tree.root());
  EXPECT_DOUBLE_EQ(*load.steal, 300.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
  EXPECT_EQ(load.cpu_pressure, 1.5);
  EXPECT_EQ(load.memory_available, 4096);
}

TEST(MachineLoad, IsAbsentWithoutProc) {
  const testing::FixtureTree tree;
  const MachineLoad load = read_machine_load(tree.root());
  EXPECT_FALSE(load.steal || load.cpu_pressure || load.memory_available);
}

}  // namespace
}  // namespace perf

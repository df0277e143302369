#include <gtest/gtest.h>

#include "collector/machine/readings.h"
#include "fixture_tree.h"

namespace perf {
namespace {

TEST(CpuTimes, AreBusyIdleAndStolen) {
  const auto times = parse_cpu_times(
      "cpu  10 20 30 400 50 6 7 8 9 10\n"
      "cpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nintr 5 cpu\ncpu2 1\n");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busy, 10 + 20 + 30 + 6 + 7);
  EXPECT_EQ(times->idle, 450);
  EXPECT_EQ(times->steal, 8);
  EXPECT_EQ(times->cpus, 2);
}

TEST(CpuTimes, AreAbsentWithoutEightNumbers) {
  for (const char* stat :
       {"", "cpu", "cpu 1 2 3 4 5 6 7", "cpu 1 2 3 4 5 6 7 -8", "cpu 1 2 3 4 5 6 7 x",
        "cpu0 1 2 3 4 5 6 7 8", "\ncpu 1 2 3 4 5 6 7 8"}) {
    EXPECT_FALSE(parse_cpu_times(stat)) << stat;
  }
}

std::string stat_line(const std::string& name, int user, int system, int started) {
  return "7 (" + name + ") S 1 7 7 0 -1 4194560 1 0 0 0 " + std::to_string(user) + " " +
         std::to_string(system) + " 0 0 20 0 1 0 " + std::to_string(started) + " 1000 200\n";
}

TEST(ProcessTime, AcceptsAnyName) {
  const auto time = parse_process_time(stat_line("a) R (b c", 20, 3, 555));
  ASSERT_TRUE(time);
  EXPECT_EQ(time->name, "a) R (b c");
  EXPECT_EQ(time->ticks, 23);
  EXPECT_EQ(time->started, "555");
  EXPECT_EQ(parse_process_time(stat_line("\x1b[1m\n", 1, 1, 1))->name, "[1m");
  for (const char* text : {"", "7 (x", "7 x) S", ")(", "7 (x) S 1 2 3"}) {
    EXPECT_FALSE(parse_process_time(text)) << text;
  }
}

TEST(ProcessTimes, IncludeEveryProcess) {
  testing::FixtureTree tree;
  tree.put("proc/7/stat", stat_line("seven", 1, 1, 1)).put("proc/12/stat", stat_line("x", 1, 1, 1));
  tree.put("proc/self/stat", stat_line("self", 1, 1, 1)).put("proc/13/stat", "garbage");
  const auto processes = read_process_times(tree.root());
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes.at("7").name, "seven");
}

TEST(BusiestProcesses, AreThoseThatUsedMostMeanwhile) {
  const std::map<std::string, ProcessTime> before{
      {"1", {"cc1plus", "5", 1000}}, {"2", {"idle", "6", 9999}}, {"3", {"old", "7", 500}}};
  const std::map<std::string, ProcessTime> after{{"1", {"cc1plus", "5", 1090}},
                                                 {"2", {"idle", "6", 9999}},
                                                 {"3", {"cc1plus", "900", 30}},  // the id again
                                                 {"4", {"ninja", "901", 8}}};
  const auto busy = busiest_processes(before, after, 2, 100);
  ASSERT_EQ(busy.size(), 1u);
  EXPECT_EQ(busy[0].name, "cc1plus");
  EXPECT_DOUBLE_EQ(busy[0].cores, 0.6);
  const auto all = busiest_processes(before, after, 1, 100);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].name, "ninja");
  EXPECT_EQ(busiest_processes(before, after, 1, 100, 0.05, 1).size(), 1u);
}

}  // namespace
}  // namespace perf

#include "collector/machine/cpu_topology.h"

#include <gtest/gtest.h>

#include "fixture_tree.h"

namespace perf {
namespace {

TEST(CpuList, IsRanges) {
  EXPECT_EQ(parse_cpu_list("0-3,8"), (CpuRanges{{0, 3}, {8, 8}}));
  EXPECT_EQ(parse_cpu_list("\t5"), (CpuRanges{{5, 5}}));
  EXPECT_EQ(parse_cpu_list(""), CpuRanges{});
  for (const char* text : {"3-1", "a", "1-", "-1", "1,,2", "0-3:2"}) {
    EXPECT_EQ(parse_cpu_list(text), std::nullopt) << text;
  }
}

TEST(Governors, AreCounted) {
  testing::FixtureTree tree;
  for (const char* cpu : {"cpu0", "cpu1", "cpu2"}) {
    tree.put(std::string("sys/devices/system/cpu/") + cpu + "/cpufreq/scaling_governor",
             cpu[3] == '1' ? "performance\n" : "powersave\n");
  }
  tree.put("sys/devices/system/cpu/cpu3/online", "0\n");
  EXPECT_EQ(read_governors(tree.root()),
            (std::map<std::string, int>{{"performance", 1}, {"powersave", 2}}));
}

TEST(NumaNodes, AreThoseThatAllowedCpusBelongTo) {
  testing::FixtureTree tree;
  tree.put("sys/devices/system/node/node0/cpulist", "0-3\n");
  tree.put("sys/devices/system/node/node1/cpulist", "4-7\n");
  tree.put("sys/devices/system/node/node2/cpulist", "\n");
  tree.put("proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n");
  EXPECT_EQ(read_allowed_nodes(tree.root()), 2);
  tree.put("proc/self/status", "Cpus_allowed_list:\t1,3\n");
  EXPECT_EQ(read_allowed_nodes(tree.root()), 1);
  tree.put("proc/self/status", "Cpus_allowed:\tff\n");
  EXPECT_EQ(read_allowed_nodes(tree.root()), std::nullopt);
}

TEST(VectorUnit, IsTheWidestThatAllItsPartsAreThereOf) {
  const std::string most = "flags\t\t: fpu sse2 avx avx2 fma avx512f avx512dq avx512bw avx512cd";
  EXPECT_EQ(parse_vector_unit("processor : 0\n" + most + " avx512vl\n"), VectorUnit::avx512);
  EXPECT_EQ(parse_vector_unit(most + "\n"), VectorUnit::avx2);
  EXPECT_EQ(parse_vector_unit("flags : sse2 avx avx2\n"), VectorUnit::avx);
  EXPECT_EQ(parse_vector_unit("flags : fpu sse2 xavx avxx\n"), VectorUnit::sse);
  EXPECT_EQ(parse_vector_unit("Features : fp asimd sve\n"), std::nullopt);
  EXPECT_EQ(parse_vector_unit("vmx flags : avx\n"), std::nullopt);
}

}  // namespace
}  // namespace perf

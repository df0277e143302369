#include <gtest/gtest.h>

#include "collector/machine/readings.h"
#include "fixture_tree.h"

namespace perf {
namespace {

TEST(Cpuinfo, ReadsTheFirstProcessor) {
  const Processor processor = parse_cpuinfo(
      "processor\t: 0\nmodel name\t: Intel(R) Xeon(R)   Gold 6430\nmicrocode\t: 0x2b000603\n"
      "flags\t\t: fpu vme hypervisor lahf_lm\n\nprocessor\t: 1\nmodel name\t: Another\n");
  EXPECT_EQ(processor.model, "Intel(R) Xeon(R) Gold 6430");
  EXPECT_EQ(processor.microcode, "0x2b000603");
  EXPECT_EQ(processor.virtualized, true);
}

TEST(Cpuinfo, MatchesWholeFlags) {
  EXPECT_EQ(parse_cpuinfo("flags : fpu\n").virtualized, false);
  EXPECT_EQ(parse_cpuinfo("flags : nohypervisor hypervisor_too\n").virtualized, false);
  EXPECT_EQ(parse_cpuinfo("flags : hypervisor_too hypervisor\n").virtualized, true);
  EXPECT_EQ(parse_cpuinfo("flags : hypervisor\n").virtualized, true);
  EXPECT_EQ(parse_cpuinfo("").virtualized, std::nullopt);
}

TEST(Cpuinfo, ReadsArm) {
  const Processor processor = parse_cpuinfo(
      "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU variant\t: 0x3\n"
      "CPU part\t: 0xd0c\nCPU revision\t: 1\n");
  EXPECT_EQ(processor.model, "ARM implementer 0x41 part 0xd0c variant 0x3 revision 1");
  EXPECT_EQ(processor.microcode, "");
}

TEST(Cpuinfo, ReadsPower) {
  EXPECT_EQ(parse_cpuinfo("processor : 0\ncpu : POWER9, altivec supported\n").model,
            "POWER9, altivec supported");
}

TEST(Cpuinfo, CleansHostileText) {
  const Processor processor =
      parse_cpuinfo("model name : \x1B[31mred\xFF\nmicrocode :   \n:\n::::\nflags\n");
  EXPECT_EQ(processor.model, "[31mred\uFFFD");
  EXPECT_EQ(processor.microcode, "");
  EXPECT_EQ(parse_cpuinfo("model name : " + std::string(100000, 'x')).model.size(), 200u);
}

TEST(ProcessorSettings, AreReadFromFiles) {
  testing::FixtureTree tree;
  const std::string cpu = "sys/devices/system/cpu/";
  tree.put(cpu + "cpu0/cpufreq/scaling_governor", "powersave\n");
  tree.put(cpu + "cpu0/cpufreq/scaling_driver", "intel_pstate\n");
  tree.put(cpu + "intel_pstate/no_turbo", "1\n").put(cpu + "smt/active", "1\n");
  tree.put(cpu + "online", "0-7\n");
  tree.put("sys/devices/system/node/node0/x", "").put("sys/devices/system/node/node1/x", "");
  tree.put("sys/devices/system/node/possible", "0-1").put("sys/devices/system/node/nodes/x", "");
  tree.put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  const std::map<std::string, std::string> expected{{"boost", "off"},
                                                    {"clock_source", "tsc"},
                                                    {"cpus_online", "0-7"},
                                                    {"frequency_driver", "intel_pstate"},
                                                    {"governor", "powersave"},
                                                    {"numa_nodes", "2"},
                                                    {"smt", "on"}};
  EXPECT_EQ(read_processor_settings(tree.root()), expected);
}

TEST(ProcessorSettings, DoNotInvertBoostOfOtherDrivers) {
  testing::FixtureTree tree;
  tree.put("sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_EQ(read_processor_settings(tree.root()).at("boost"), "on");
}

TEST(ProcessorSettings, AreAbsentWithoutFiles) {
  const testing::FixtureTree tree;
  EXPECT_TRUE(read_processor_settings(tree.root()).empty());
}

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

TEST(VectorUnit, IsTheWidestWithAllItsParts) {
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

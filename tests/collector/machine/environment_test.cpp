#include "collector/machine/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "collector/process/spawner.h"
#include "fixture_tree.h"
#include "schema/error.h"

namespace perf {
namespace {

using testing::FixtureTree;
using Facts = std::map<std::string, std::string>;

SystemCalls system_of(const char* release, int cores) {
  SystemCalls system;
  system.kernel_release = release;
  system.architecture = "x86_64";
  system.libc = "glibc 2.36";
  system.cores = cores;
  return system;
}

const std::vector<std::string> kAskLibc{"getconf", "GNU_LIBC_VERSION"};

RunProcess compiler_that_says(const std::string& text, int exit_code = 0) {
  return [=](const ProcessRequest& request) {
    EXPECT_TRUE(request.command.back() == "--version" || request.command == kAskLibc);
    ProcessResult result;
    result.exit_code = exit_code;
    result.stdout_text = text;
    return result;
  };
}

void put_debian(FixtureTree& tree) {
  tree.put("etc/os-release", "ID=debian\nVERSION_ID=\"12\"\n");
}

TEST(Environment, DescribesABareMetalIntelMachine) {
  FixtureTree tree;
  put_debian(tree);
  tree.put("proc/cpuinfo",
           "model name : Intel(R) Core(TM) i7-8700\nmicrocode : 0xf4\nflags : fpu\n");
  tree.put("proc/meminfo", "MemTotal: 32780000 kB\nMemAvailable: 16000000 kB\nSwapTotal: 0 kB\n");
  tree.put("proc/loadavg", "0.52 0.58 0.59 1/596 12345\n");
  tree.put("proc/sys/kernel/randomize_va_space", "2\n");
  tree.put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  tree.put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  tree.put("sys/class/power_supply/AC/online", "0\n");
  ProbeSources sources;
  sources.root = tree.root();
  sources.system = system_of("6.1.0-28-amd64", 12);
  sources.run_process = compiler_that_says("c++ (Debian 12.2.0-14) 12.2.0\nCopyright (C)\n");
  const Environment environment = probe_environment(sources);
  EXPECT_EQ(environment.machine, (Facts{{"compiler", "c++ (Debian 12.2.0-14) 12.2.0"},
                                        {"cores_allowed", "12"},
                                        {"cpu_model", "Intel(R) Core(TM) i7-8700"},
                                        {"distribution", "debian 12"},
                                        {"hypervisor", "none"},
                                        {"kernel", "6.1"},
                                        {"libc", "glibc 2.36"},
                                        {"memory_gib", "31"},
                                        {"microcode", "0xf4"}}));
  EXPECT_EQ(environment.facts, (Facts{{"architecture", "x86_64"},
                                      {"aslr", "2"},
                                      {"governor", "performance"},
                                      {"kernel_release", "6.1.0-28-amd64"},
                                      {"load_average", "0.52 0.58 0.59 1/596 12345"},
                                      {"memory_available", "16384000000"},
                                      {"power", "battery"},
                                      {"swap_total", "0"},
                                      {"thp", "madvise"}}));
  EXPECT_EQ(environment.fingerprint, fingerprint_of(environment.machine));
}

TEST(Environment, IncludesThePoolAndCompilerFlagsInTheMachine) {
  const FixtureTree tree;
  ProbeSources sources;
  sources.root = tree.root();
  const Environment plain = probe_environment(sources);
  std::set<std::string> fingerprints{plain.fingerprint};
  std::string value = "a\nb";
  for (const auto& [variable, fact] : {std::pair{"PERF_COMPARE_POOL", "pool"},
                                       {"CFLAGS", "compiler_flags"},
                                       {"RUSTFLAGS", "compiler_flags"}}) {
    sources.variable = [&](const std::string& name) {
      return name == variable ? std::optional(value) : std::nullopt;
    };
    const Environment other = probe_environment(sources);
    EXPECT_EQ(other.machine.at(fact).find('\n'), std::string::npos);
    EXPECT_TRUE(fingerprints.insert(other.fingerprint).second) << variable;
  }
  for (const char* end : {"1", "2"}) {
    value = std::string(1000, 'x') + end;
    EXPECT_TRUE(fingerprints.insert(probe_environment(sources).fingerprint).second) << end;
  }
}

TEST(Environment, DescribesAnAmdGuestUnderKvmWithAQuota) {
  FixtureTree tree;
  tree.put("proc/cpuinfo", "model name : AMD EPYC 7763\nflags : fpu hypervisor\n");
  tree.put("proc/self/cgroup", "0::/\n").put("sys/fs/cgroup/cpu.max", "150000 100000\n");
  ProbeSources sources;
  sources.root = tree.root();
  sources.system = system_of("6.8.0-1017-azure", 4);
  sources.system.hypervisor = "KVMKVMKVM";
  Facts machine = probe_environment(sources).machine;
  EXPECT_EQ(machine["hypervisor"], "kvm");
  EXPECT_EQ(machine["cores_allowed"], "1.5");
  sources.system.hypervisor.clear();
  tree.put("sys/class/dmi/id/sys_vendor", "QEMU\n").put("sys/fs/cgroup/cpu.max", "800000 100000\n");
  machine = probe_environment(sources).machine;
  EXPECT_EQ(machine["hypervisor"], "QEMU");
  EXPECT_EQ(machine["cores_allowed"], "4");
  sources.system.hypervisor = "Strange\x1B[1m";
  EXPECT_EQ(probe_environment(sources).machine["hypervisor"], "Strange [1m");
}

TEST(Environment, KnowsAnArmGuestByItsFirmware) {
  const std::string dmi = "sys/class/dmi/id/";
  for (const auto& [file, text, expected] :
       {std::tuple{std::string("proc/device-tree/hypervisor/compatible"), "linux,kvm", "kvm"},
        {dmi + "sys_vendor", "QEMU\n", "qemu"},
        {dmi + "sys_vendor", "HPE\n", ""},  // a maker of physical machines
        {dmi + "product_name", "c7g.metal\n", "none"},
        {dmi + "product_name", "Virtual Machine\n", "hyperv"}}) {
    FixtureTree tree;
    tree.put("proc/cpuinfo", "Features : fp asimd\nCPU implementer : 0x41\nCPU part : 0xd40\n");
    tree.put(file, text);
    ProbeSources sources;
    sources.root = tree.root();
    EXPECT_EQ(probe_environment(sources).machine["hypervisor"], expected) << text;
  }
}

TEST(Environment, ReadsAVersion1Quota) {
  FixtureTree tree;
  tree.put("proc/self/cgroup", "4:cpu,cpuacct:/job\n");
  tree.put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "225000\n");
  tree.put("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  ProbeSources sources;
  sources.root = tree.root();
  sources.system = system_of("5.15.0", 8);
  EXPECT_EQ(probe_environment(sources).machine["cores_allowed"], "2.25");
  sources.system.cores.reset();
  EXPECT_EQ(probe_environment(sources).machine["cores_allowed"], "2.25");
}

TEST(Environment, OmitsUnknownFacts) {
  const FixtureTree tree;
  ProbeSources sources;
  sources.root = tree.root();
  const Environment environment = probe_environment(sources);
  EXPECT_TRUE(environment.machine.empty());
  EXPECT_TRUE(environment.facts.empty());
  EXPECT_EQ(environment.fingerprint, "cbf29ce484222325");
}

TEST(Environment, OmitsACompilerThatFails) {
  const FixtureTree tree;
  ProbeSources sources;
  sources.root = tree.root();
  sources.run_process = compiler_that_says("error", 1);
  EXPECT_TRUE(probe_environment(sources).machine.empty());
  sources.run_process = compiler_that_says("");
  EXPECT_TRUE(probe_environment(sources).machine.empty());
  sources.run_process = [](const ProcessRequest&) -> ProcessResult { throw Error("no", "more"); };
  EXPECT_TRUE(probe_environment(sources).machine.empty());
  sources.run_process = [](const ProcessRequest&) {
    ProcessResult result;
    result.spawn_error = "cannot run c++: No such file or directory";
    return result;
  };
  EXPECT_TRUE(probe_environment(sources).machine.empty());
}

TEST(Environment, TakesTheCompilerFromCxx) {
  const FixtureTree tree;
  ProbeSources sources;
  sources.root = tree.root();
  std::vector<std::string> command;
  sources.run_process = [&](const ProcessRequest& request) {
    command = request.command;
    return ProcessResult{};
  };
  probe_environment(sources);
  EXPECT_EQ(command, (std::vector<std::string>{"c++", "--version"}));
  sources.variable = [](const std::string& name) {
    return name == "CXX" ? std::optional<std::string>(" ccache  g++-12 ") : std::nullopt;
  };
  probe_environment(sources);
  EXPECT_EQ(command, (std::vector<std::string>{"ccache", "g++-12", "--version"}));
}

TEST(Environment, RunsGetconfInAStaticProgram) {
  const FixtureTree tree;
  ProbeSources sources;
  sources.root = tree.root();
  sources.run_process = [](const ProcessRequest& request) {
    ProcessResult result;
    result.exit_code = 0;
    result.stdout_text = request.command == kAskLibc ? "glibc 2.31\n" : "";
    return result;
  };
  EXPECT_EQ(probe_environment(sources).machine, (Facts{{"libc", "glibc 2.31"}}));
  sources.system.libc = "glibc 2.36";
  EXPECT_EQ(probe_environment(sources).machine, (Facts{{"libc", "glibc 2.36"}}));
  sources.system.libc = "";
  sources.run_process = nullptr;
  EXPECT_EQ(probe_environment(sources).machine, Facts{});
}

TEST(Environment, CleansHostileValues) {
  const std::string evil =
      "\x1B]0;owned\x07\xC3\x28\n" + std::string(100000, 'A') + std::string(3, '\0');
  FixtureTree tree;
  for (const char* file :
       {"proc/cpuinfo", "proc/meminfo", "proc/loadavg", "proc/self/cgroup", "etc/os-release",
        "sys/class/dmi/id/sys_vendor", "sys/kernel/mm/transparent_hugepage/enabled",
        "run/.containerenv", "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
        "sys/devices/system/cpu/smt/active"}) {
    tree.put(file, evil);
  }
  tree.put("proc/cpuinfo", "model name : " + evil).put("etc/os-release", "ID=\"" + evil + "\n");
  ProbeSources sources;
  sources.root = tree.root();
  sources.system = system_of("6", 1);
  sources.system.libc = evil;
  sources.variable = [&](const std::string&) { return std::optional<std::string>(evil); };
  sources.run_process = compiler_that_says(evil);
  const Environment environment = probe_environment(sources);
  EXPECT_EQ(environment.machine.at("kernel"), "6");
  for (const Facts* facts : {&environment.machine, &environment.facts}) {
    EXPECT_FALSE(facts->empty());
    for (const auto& [name, value] : *facts) {
      EXPECT_LE(value.size(), 200u) << name;
      for (const unsigned char c : value) {
        EXPECT_TRUE(c >= 0x20 && c != 0x7F) << name;
      }
    }
  }
}

TEST(Environment, ReadsOnlyListedVariables) {
  const std::string canary = "canary-7f3a";
  for (int i = 0; i < 100; ++i) {
    setenv(("CANARY_SECRET_" + std::to_string(i)).c_str(), canary.c_str(), 1);
  }
  for (const char* name :
       {"GITHUB_TOKEN", "CI_JOB_TOKEN", "AWS_SECRET_ACCESS_KEY", "HOME", "USER"}) {
    setenv(name, canary.c_str(), 1);
  }
  setenv("GITHUB_ACTIONS", "true", 1);
  setenv("GITLAB_CI", "true", 1);
  const Environment environment = probe_environment(this_machine({}));
  for (const Facts* facts : {&environment.machine, &environment.facts}) {
    for (const auto& [name, value] : *facts) {
      EXPECT_EQ(name.find("anary"), std::string::npos);
      EXPECT_EQ(value.find(canary), std::string::npos) << name;
    }
  }
  unsetenv("GITHUB_ACTIONS");
  unsetenv("GITLAB_CI");
}

TEST(Environment, IsStableOnThisMachine) {
  Spawner spawner;
  const Environment once = probe_environment(this_machine(make_run_process(spawner)));
  const Environment again = probe_environment(this_machine(make_run_process(spawner)));
  EXPECT_EQ(once.machine, again.machine);
  EXPECT_EQ(once.fingerprint, again.fingerprint);
  EXPECT_EQ(once.machine.count("kernel"), 1u);
  EXPECT_EQ(once.machine.count("cores_allowed"), 1u);
  EXPECT_EQ(once.machine.count("libc"), 1u);
}

TEST(Fingerprint, DependsOnTheMachineOnlyAndIsStable) {
  const Facts machine{{"cpu_model", "AMD EPYC"}, {"kernel", "6.1"}};
  // FNV-1a of "9:cpu_model8:AMD EPYC6:kernel3:6.1": stored histories depend on it.
  EXPECT_EQ(fingerprint_of(machine), "065c0ca25167fb86");
}

TEST(Fingerprint, DependsOnEveryFact) {
  const Facts machine{{"a", "bc"}, {"d", "e"}};
  EXPECT_NE(fingerprint_of(machine), fingerprint_of({{"a", "bd"}, {"d", "e"}}));
  EXPECT_NE(fingerprint_of(machine), fingerprint_of({{"ab", "c"}, {"d", "e"}}));
  EXPECT_NE(fingerprint_of(machine), fingerprint_of({{"a", "bc"}}));
  EXPECT_NE(fingerprint_of(machine), fingerprint_of({}));
}

}  // namespace
}  // namespace perf

#include "analyzer/doctor/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "tests/contains.h"

namespace perf {
namespace {

/// A machine on which everything is as it should be.
MachineState quiet_machine() {
  MachineState state;
  state.environment.machine = {{"hypervisor", "none"}};
  state.environment.facts = {{"frequency_driver", "intel_pstate"},
                             {"boost", "off"},
                             {"smt", "off"},
                             {"power", "mains"},
                             {"thp", "madvise"},
                             {"aslr", "2"},
                             {"clock_source", "tsc"},
                             {"numa_nodes", "1"},
                             {"perf_event_paranoid", "2"},
                             {"load_average", "0.05 0.1 0.2 1/99 7"}};
  state.governors = {{"performance", 8}};
  state.platform_profile = "performance";
  state.clock_sources = "tsc hpet acpi_pm";
  state.vector_unit = VectorUnit::avx512;
  state.cores = 8;
  state.numa_nodes = 1;
  state.throttling = Throttling{100, 0};
  state.thermal_events = 0;
  state.thermal_margin = 40;
  state.no_randomization = false;
  state.memory_total = 1000;
  state.memory_available = 900;
  state.swap_used = 0;
  state.counters = EventAccess::available;
  state.sampling = EventAccess::available;
  state.has_perf = true;
  state.has_valgrind = true;
  state.devices_problem = kNoDeviceDriver;
  state.activity.seconds = 1;
  state.activity.cpus = 8;
  state.activity.busy_share = 0.001;
  state.activity.steal_share = 0;
  state.activity.cpu_pressure = 0;
  state.activity.pages_swapped = 0;
  state.activity.thermal_events = 0;
  ProgramState program;
  program.path = "build/bench";
  program.workloads = {"w"};
  program.optimized = true;
  program.build_type = "Release";
  state.programs = {program};
  state.workload_facts = {{"w", {{"blas_core", "SkylakeX"}, {"threads", "8"}}}};
  return state;
}

MachineState with(const std::function<void(MachineState&)>& change) {
  MachineState state = quiet_machine();
  change(state);
  return state;
}

std::vector<Cause> of_code(const MachineState& state, const std::string& code) {
  std::vector<Cause> causes = diagnose(state);
  causes.erase(std::remove_if(causes.begin(), causes.end(),
                              [&code](const Cause& one) { return one.code != code; }),
               causes.end());
  return causes;
}

/// The one cause of that code.
Cause found(const MachineState& state, const std::string& code) {
  const std::vector<Cause> causes = of_code(state, code);
  EXPECT_EQ(causes.size(), 1u) << code;
  return causes.empty() ? Cause{} : causes.front();
}

/// One change of the quiet machine, and what it makes of one cause; all others stay good.
struct Case {
  const char* code;
  Severity severity;
  bool needs_root;
  const char* says;  ///< part of what
  std::function<void(MachineState&)> change;
};

void expect(const Case& one) {
  const std::vector<Cause> causes = diagnose(with(one.change));
  for (const Cause& cause : causes) {
    if (cause.code != one.code) {
      EXPECT_EQ(cause.severity, Severity::good) << cause.code << " beside " << one.code;
      continue;
    }
    EXPECT_EQ(cause.severity, one.severity) << one.code << ": " << cause.what;
    EXPECT_EQ(cause.needs_root, one.needs_root) << one.code;
    EXPECT_TRUE(contains(cause.what, one.says));
    EXPECT_FALSE(cause.why.empty() || cause.remedy.empty()) << one.code;
  }
}

std::function<void(MachineState&)> fact(const char* name, const char* value) {
  return [=](MachineState& state) { state.environment.facts[name] = value; };
}

TEST(Diagnosis, IsGoodOnAQuietMachine) {
  for (const Cause& cause : diagnose(quiet_machine())) {
    EXPECT_EQ(cause.severity, Severity::good) << cause.code << ": " << cause.what;
    EXPECT_FALSE(cause.what.empty()) << cause.code;
    EXPECT_TRUE(cause.why.empty() && cause.remedy.empty()) << cause.code;
  }
}

TEST(Diagnosis, IsUnknownWithoutFactsExceptForQuotas) {
  std::set<std::string> codes;
  for (const Cause& cause : diagnose({})) {
    const bool quota = cause.code == "cpu_quota" || cause.code == "throttling";
    EXPECT_EQ(cause.severity, quota ? Severity::good : Severity::unknown) << cause.code;
    codes.insert(cause.code);
  }
  std::set<std::string> all;
  for (const Cause& cause : diagnose(quiet_machine())) {
    all.insert(cause.code);
  }
  EXPECT_EQ(codes, all) << "everything that is looked at is said, known or not";
}

/// A GPU about which nothing is to be said.
DeviceState quiet_gpu() {
  return {{{"name", "NVIDIA H200"},
           {"persistence", "on"},
           {"max_clock", "1980"},
           {"application_clock", "1605"},
           {"clocks_set", "on"},
           {"power_limit", "700000"},
           {"default_power_limit", "700000"},
           {"ecc", "on"},
           {"mig", "off"},
           {"display", "off"}},
          {}};
}

std::function<void(MachineState&)> gpu(const std::map<std::string, std::string>& facts) {
  return [=](MachineState& state) {
    state.devices_problem.clear();
    state.devices = {quiet_gpu()};
    for (const auto& [name, value] : facts) {
      state.devices[0].facts[name] = value;
    }
  };
}

TEST(Diagnosis, ChecksAGpu) {
  expect({"none", Severity::good, false, "", gpu({})});
  expect({"gpu_persistence", Severity::note, true, "off", gpu({{"persistence", "off"}})});
  expect({"gpu_clocks", Severity::note, true, "not locked, up to 1980 MHz",
          gpu({{"application_clock", "1980"}, {"clocks_set", "off"}})});
  expect({"gpu_power", Severity::bad, true, "lowered now: power cap",
          gpu({{"throttled", "power cap"}})});
  expect({"gpu_power", Severity::note, true, "limited to 450 W of 700 W",
          gpu({{"power_limit", "450000"}})});
  expect({"gpu_ecc", Severity::note, true, "off", gpu({{"ecc", "off"}})});
  expect({"gpu_mig", Severity::note, true, "on", gpu({{"mig", "on"}})});
  expect({"gpu_display", Severity::note, true, "attached", gpu({{"display", "on"}})});
  expect({"gpu_processes", Severity::bad, false, "in use by 4711 python3", [](MachineState& state) {
            gpu({})(state);
            state.devices[0].processes = {"4711 python3"};
          }});
}

TEST(Diagnosis, SaysWhyAGpuIsNotWatched) {
  EXPECT_EQ(found(quiet_machine(), "gpu").what, "no NVIDIA driver library");
  expect({"gpu", Severity::note, false, "no permission", [](MachineState& state) {
            state.devices_problem = "no permission to use the NVIDIA driver";
          }});
}

TEST(Diagnosis, NamesTheGpuOfSeveral) {
  MachineState state = quiet_machine();
  gpu({})(state);
  state.devices.push_back(quiet_gpu());
  state.devices[1].facts["persistence"] = "off";
  state.devices[1].facts.erase("ecc");
  const auto causes = of_code(state, "gpu_persistence");
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].what, "GPU 1: off");
  EXPECT_EQ(causes[1].what, "GPU 0: on");
  EXPECT_EQ(of_code(state, "gpu_ecc").back().severity, Severity::unknown);
}

TEST(Diagnosis, SortsTheWorstFirst) {
  const auto causes = diagnose(with([](MachineState& state) {
    state.environment.facts["thp"] = "always";
    state.environment.facts["power"] = "battery";
    state.environment.facts.erase("boost");
  }));
  EXPECT_EQ(causes.front().code, "power");
  EXPECT_EQ(causes[1].code, "thp");
  EXPECT_EQ(causes.back().code, "boost");
}

TEST(Diagnosis, ChecksOtherProcesses) {
  const auto busy = [](double share) {
    return [share](MachineState& state) {
      state.activity.busy_share = share;
      state.activity.busiest = {{"cc1plus", 0.9}, {"ninja", 0.3}};
    };
  };
  expect({"load", Severity::bad, false, "1.6 of 8 cores busy with other work: cc1plus 0.9",
          busy(0.2)});
  expect({"load", Severity::bad, false, "0.8 of 8 cores busy", busy(0.1)});
  expect({"load", Severity::note, false, "ninja 0.3", busy(0.05)});
  expect({"load", Severity::note, false, "load average of the last minute is 4.5",
          fact("load_average", "4.5 2 1 1/99 7")});
  const auto pressure = [](double share) {
    return [share](MachineState& state) { state.activity.cpu_pressure = share; };
  };
  expect({"cpu_pressure", Severity::bad, false, "25 %", pressure(0.25)});
  expect({"cpu_pressure", Severity::note, false, "2 %", pressure(0.02)});
  expect(
      {"numa", Severity::bad, false, "2 nodes", [](MachineState& state) { state.numa_nodes = 2; }});
  expect({"smt", Severity::note, true, "on", fact("smt", "on")});
}

TEST(Diagnosis, ChecksVirtualMachines) {
  const auto guest = [](double now, double ever) {
    return with([=](MachineState& state) {
      state.environment.machine["hypervisor"] = "kvm";
      state.activity.steal_share = now;
      state.steal_since_boot = ever;
    });
  };
  EXPECT_EQ(found(guest(0, 0), "virtual_machine").severity, Severity::note);
  EXPECT_TRUE(contains(found(guest(0, 0), "virtual_machine").what, "kvm"));
  EXPECT_EQ(found(guest(0, 0), "steal").severity, Severity::good);
  EXPECT_EQ(found(guest(0.02, 0), "steal").severity, Severity::bad);
  EXPECT_EQ(found(guest(0.015, 0), "steal").severity, Severity::note);
  EXPECT_EQ(found(guest(0, 0.02), "steal").severity, Severity::note);
  EXPECT_EQ(found(guest(0, 0.06), "steal").severity, Severity::bad);
  MachineState unsampled = guest(0, 0.02);
  unsampled.activity.steal_share.reset();
  EXPECT_EQ(found(unsampled, "steal").what,
            "the hypervisor took 2 % of the requested CPU time since boot");
}

TEST(Diagnosis, ChecksQuotas) {
  const auto quota = [](double cpus) {
    return with([=](MachineState& state) { state.cpu_quota = cpus; });
  };
  EXPECT_EQ(found(quota(8), "cpu_quota").severity, Severity::good);
  EXPECT_EQ(found(quota(1.5), "cpu_quota").severity, Severity::bad);
  EXPECT_EQ(found(quota(1.5), "cpu_quota").what, "a quota of 1.5 CPUs on 8 cores");
  EXPECT_TRUE(found(quota(1), "cpu_quota").needs_root);
  EXPECT_EQ(found(quota(1), "cpu_quota").what, "a quota of 1 CPU on 8 cores");
  expect({"throttling", Severity::bad, true, "3 times",
          [](MachineState& state) { state.activity.throttled = 3; }});
  expect({"throttling", Severity::note, true, "9 of 70 periods", [](MachineState& state) {
            state.throttling = Throttling{70, 9};
          }});
  MachineState untold = quota(1.5);
  untold.throttling.reset();
  EXPECT_EQ(found(untold, "throttling").severity, Severity::unknown);
}

TEST(Diagnosis, ChecksTheClockSpeed) {
  expect({"governor", Severity::bad, true, "powersave on 3 CPUs", [](MachineState& state) {
            state.governors = {{"performance", 5}, {"powersave", 3}};
          }});
  expect({"boost", Severity::note, true, "on", fact("boost", "on")});
  EXPECT_TRUE(contains(found(with(fact("boost", "on")), "boost").remedy, "no_turbo"));
  MachineState amd = with(fact("boost", "on"));
  amd.environment.facts["frequency_driver"] = "acpi-cpufreq";
  EXPECT_TRUE(contains(found(amd, "boost").remedy, "cpufreq/boost"));
  expect({"frequency_driver", Severity::note, false, "pcc-cpufreq",
          fact("frequency_driver", "pcc-cpufreq")});
  const auto no_driver = [](MachineState& state) {
    state.environment.facts.erase("frequency_driver");
  };
  expect({"frequency_driver", Severity::note, false, "none", no_driver});
  MachineState guest = with(no_driver);
  guest.environment.machine["hypervisor"] = "kvm";
  EXPECT_EQ(found(guest, "frequency_driver").severity, Severity::unknown) << "the host's affair";
  expect({"power", Severity::bad, false, "battery", fact("power", "battery")});
  expect({"platform_profile", Severity::bad, true, "low-power",
          [](MachineState& state) { state.platform_profile = "low-power"; }});
  expect({"platform_profile", Severity::note, true, "balanced",
          [](MachineState& state) { state.platform_profile = "balanced"; }});
}

TEST(Diagnosis, ChecksHeat) {
  expect({"thermal", Severity::bad, false, "during the check",
          [](MachineState& state) { state.activity.thermal_events = 1; }});
  expect({"thermal", Severity::bad, false, "where it throttles",
          [](MachineState& state) { state.thermal_margin = 0; }});
  expect({"thermal", Severity::note, false, "4.5 K",
          [](MachineState& state) { state.thermal_margin = 4.5; }});
  expect({"thermal", Severity::note, false, "2 times since boot",
          [](MachineState& state) { state.thermal_events = 2; }});
}

TEST(Diagnosis, ChecksMemory) {
  expect({"memory", Severity::bad, false, "5 %",
          [](MachineState& state) { state.memory_available = 50; }});
  expect({"swap", Severity::bad, false, "12 pages",
          [](MachineState& state) { state.activity.pages_swapped = 12; }});
  expect({"swap", Severity::note, true, "2.5 MiB",
          [](MachineState& state) { state.swap_used = 2621440; }});
  expect({"thp", Severity::note, true, "always", fact("thp", "always")});
}

TEST(Diagnosis, ChecksTheKernel) {
  expect({"aslr", Severity::bad, true, "off", fact("aslr", "0")});
  expect({"aslr", Severity::note, true, "heap", fact("aslr", "1")});
  expect({"aslr", Severity::bad, false, "this process",
          [](MachineState& state) { state.no_randomization = true; }});
  expect({"clock_source", Severity::bad, true, "hpet", fact("clock_source", "hpet")});
  const MachineState guest = with([](MachineState& state) {
    state.environment.facts["clock_source"] = "kvm-clock";
    state.clock_sources = "kvm-clock not-tsc";
  });
  EXPECT_EQ(found(guest, "clock_source").severity, Severity::note);
  EXPECT_FALSE(found(guest, "clock_source").needs_root) << "there is no tsc to choose";
}

TEST(Diagnosis, ChecksEvents) {
  const auto counters = [](EventAccess access, const char* paranoid) {
    return [=](MachineState& state) {
      state.counters = access;
      state.environment.facts["perf_event_paranoid"] = paranoid;
    };
  };
  expect({"counters", Severity::note, true, "forbidden", counters(EventAccess::forbidden, "4")});
  EXPECT_TRUE(contains(found(with(counters(EventAccess::forbidden, "4")), "counters").remedy,
                       "paranoid=2"));
  EXPECT_TRUE(
      contains(found(with(counters(EventAccess::forbidden, "2")), "counters").remedy, "PERFMON"));
  expect({"counters", Severity::note, false, "none", counters(EventAccess::absent, "2")});
  MachineState without = with(counters(EventAccess::absent, "2"));
  without.has_valgrind = false;
  EXPECT_TRUE(found(without, "counters").needs_root);
  expect({"sampling", Severity::note, true, "not installed",
          [](MachineState& state) { state.has_perf = false; }});
  expect({"sampling", Severity::note, true, "forbidden",
          [](MachineState& state) { state.sampling = EventAccess::forbidden; }});
}

TEST(Diagnosis, GroupsProgramsByTheirProblem) {
  const MachineState state = with([](MachineState& changed) {
    changed.programs.clear();
    for (const char* path : {"a", "b", "c", "d", "e"}) {
      ProgramState program;
      program.path = path;
      program.instruments = {"AddressSanitizer"};
      changed.programs.push_back(program);
    }
    changed.programs[4].instruments.clear();
    changed.programs[4].optimized = false;
  });
  const std::vector<Cause> causes = of_code(state, "program");
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].what, "a, b, c and 1 more: built with AddressSanitizer");
  EXPECT_EQ(causes[1].what, "e: compiled without optimization");
  EXPECT_EQ(causes[0].severity, Severity::bad);
  EXPECT_EQ(causes[1].severity, Severity::bad);
}

TEST(Diagnosis, ChecksBuildTypes) {
  const auto type = [](const char* name) {
    return with([=](MachineState& state) { state.programs[0].build_type = name; });
  };
  EXPECT_EQ(found(type("DEBUG"), "program").severity, Severity::bad);
  EXPECT_EQ(found(type("none"), "program").severity, Severity::bad);
  EXPECT_EQ(found(type("RelWithDebInfo"), "program").severity, Severity::good);
  const MachineState absent = with([](MachineState& state) {
    state.programs[0] = {"build/bench", {"w"}, {}, {}, {}, "is not built here"};
  });
  EXPECT_EQ(found(absent, "program").severity, Severity::unknown);
  EXPECT_EQ(found(absent, "program").what, "build/bench: is not built here");
}

TEST(Diagnosis, ChecksTheBlasCore) {
  const auto core = [](const char* reported, const char* variable) {
    return with([=](MachineState& state) {
      state.workload_facts["w"]["blas_core"] = reported;
      if (*variable != '\0') {
        state.variables["OPENBLAS_CORETYPE"] = variable;
      }
    });
  };
  EXPECT_EQ(found(core("Haswell", ""), "blas_core").severity, Severity::bad);
  EXPECT_EQ(found(core("Haswell", ""), "blas_core").remedy, "export OPENBLAS_CORETYPE=SkylakeX");
  EXPECT_EQ(found(core("SapphireRapids", ""), "blas_core").severity, Severity::good);
  EXPECT_EQ(found(core("SkylakeX", "haswell"), "blas_core").severity, Severity::bad);
  EXPECT_TRUE(contains(found(core("SkylakeX", "haswell"), "blas_core").remedy, "unset"));
  EXPECT_EQ(found(core("NeoverseN9", ""), "blas_core").severity, Severity::good)
      << "of a core that is not known nothing is claimed";
  MachineState older = core("Haswell", "");
  older.vector_unit = VectorUnit::avx2;
  EXPECT_EQ(found(older, "blas_core").severity, Severity::good);
  older.workload_facts.clear();
  older.workload_facts_problem = "nothing stored";
  EXPECT_EQ(found(older, "blas_core").severity, Severity::unknown);
  EXPECT_EQ(found(older, "blas_core").what, "nothing stored");
}

TEST(Diagnosis, ChecksThreads) {
  const auto variable = [](const char* value) {
    return with([=](MachineState& state) { state.variables["OMP_NUM_THREADS"] = value; });
  };
  EXPECT_EQ(found(variable("9"), "threads").severity, Severity::bad);
  EXPECT_EQ(found(variable("9,2"), "threads").severity, Severity::bad);
  EXPECT_EQ(found(variable("8"), "threads").severity, Severity::good);
  EXPECT_EQ(found(variable("many"), "threads").severity, Severity::good);
  const MachineState reported =
      with([](MachineState& state) { state.workload_facts["w"]["threads"] = "16"; });
  EXPECT_EQ(found(reported, "threads").severity, Severity::bad);
  EXPECT_EQ(found(reported, "threads").what, "16 in the latest stored run (w) on 8 CPUs");
  const MachineState quota = with([](MachineState& state) { state.cpu_quota = 2.5; });
  EXPECT_EQ(found(quota, "threads").severity, Severity::bad);
  EXPECT_EQ(found(quota, "threads").remedy, "export OMP_NUM_THREADS=2");
}

TEST(Diagnosis, GradesByTheLimits) {
  const auto busy = [](double share) {
    return with([=](MachineState& state) { state.activity.busy_share = share; });
  };
  const auto causes = diagnose(busy(0.99 * kBusyBad));
  EXPECT_EQ(causes.front().code, "load");
  EXPECT_EQ(causes.front().severity, Severity::note);
  EXPECT_EQ(found(busy(kBusyBad), "load").severity, Severity::bad);
  EXPECT_EQ(found(busy(kBusyNote), "load").severity, Severity::note);
  EXPECT_EQ(found(busy(0.99 * kBusyNote), "load").severity, Severity::good);
}

}  // namespace
}  // namespace perf

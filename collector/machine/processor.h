#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/machine_state.h"

namespace perf {

/// What /proc/cpuinfo says about the first processor.
struct Processor {
  std::string model;                ///< "Intel(R) Xeon(R) ..."; ARM: implementer and part
  std::string microcode;            ///< "0x2b000603"
  std::optional<bool> virtualized;  ///< the flag `hypervisor`; absent where there are no flags
};

/// Reads the text of /proc/cpuinfo.
Processor parse_cpuinfo(std::string_view cpuinfo);

/// Governor, driver, boost, SMT, NUMA nodes, clock source: how the processor is run, from
/// sys/devices/system under `root`.
std::map<std::string, std::string> read_processor_settings(const std::filesystem::path& root);

/// Ranges of CPU numbers, both ends included.
using CpuRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// "0-3,8" as the kernel writes it (cpuset(7), "List format"). Absent for anything else.
std::optional<CpuRanges> parse_cpu_list(std::string_view text);

/// Governor -> how many CPUs it governs: sys/devices/system/cpu/cpu*/cpufreq under `root`.
std::map<std::string, int> read_governors(const std::filesystem::path& root);

/// How many NUMA nodes have CPUs that this process may run on: the nodes' lists in sys against
/// Cpus_allowed_list of proc/self/status. Absent where either is.
std::optional<int> read_allowed_nodes(const std::filesystem::path& root);

/// The widest vector unit by the flags of /proc/cpuinfo; AVX-512 means the parts that libraries
/// ask for together (F, DQ, BW, VL, CD). Absent where there are no x86 flags.
std::optional<VectorUnit> parse_vector_unit(std::string_view cpuinfo);

}  // namespace perf

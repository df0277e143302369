#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace perf {

/// What /proc/cpuinfo says about the first processor.
struct Processor {
  std::optional<std::string> model;      ///< "Intel(R) Xeon(R) ..."; ARM: implementer and part
  std::optional<std::string> microcode;  ///< "0x2b000603"
  std::optional<bool> virtualized;       ///< the flag `hypervisor`; absent where there are no flags
};

/// Whether a word is one of those that blanks separate.
bool has_word(std::string_view words, std::string_view word);

/// Reads the text of /proc/cpuinfo.
Processor parse_cpuinfo(std::string_view cpuinfo);

/// Governor, driver, boost, SMT, NUMA nodes, clock source: how the processor is run, from
/// sys/devices/system under `root`.
std::map<std::string, std::string> read_processor_settings(const std::filesystem::path& root);

}  // namespace perf

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "collector/machine/readings.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

std::optional<std::int64_t> amount(std::string_view text) {
  const auto value = whole_number(text);
  return value && *value >= 0 ? value : std::nullopt;
}

}  // namespace

std::optional<double> parse_steal(std::string_view stat, double ticks_per_second) {
  const std::optional<CpuTimes> times =
      parse_cpu_times(stat.substr(std::min(stat.find("cpu "), stat.size())));
  return times && ticks_per_second > 0 ? std::optional(times->steal / ticks_per_second)
                                       : std::nullopt;
}

std::optional<double> parse_pressure(std::string_view pressure) {
  constexpr std::string_view kTotal = "total=";
  const std::string_view some = value_named(pressure, "some", ' ').value_or("");
  const std::size_t at = some.find(kTotal);
  std::string_view total = at == std::string_view::npos ? "" : some.substr(at + kTotal.size());
  const std::optional<std::int64_t> microseconds = amount(take_word(total));
  return microseconds ? std::optional(1e-6 * static_cast<double>(*microseconds)) : std::nullopt;
}

std::optional<std::int64_t> parse_meminfo(std::string_view meminfo, std::string_view field) {
  constexpr std::int64_t kUnit = 1024;  // its "kB" are KiB
  std::string_view line = value_named(meminfo, field, ':').value_or("");
  const std::optional<std::int64_t> kib = amount(take_word(line));
  if (!kib || *kib > std::numeric_limits<std::int64_t>::max() / kUnit || take_word(line) != "kB") {
    return std::nullopt;
  }
  return *kib * kUnit;
}

std::optional<std::int64_t> parse_vmstat(std::string_view vmstat, std::string_view field) {
  return amount(value_named(vmstat, field, ' ').value_or(""));
}

MachineLoad read_machine_load(const std::filesystem::path& root) {
  const std::filesystem::path proc = root / "proc";
  MachineLoad load;
  load.steal =
      parse_steal(read_small_file(proc / "stat"), static_cast<double>(sysconf(_SC_CLK_TCK)));
  load.cpu_pressure = parse_pressure(read_small_file(proc / "pressure/cpu"));
  load.memory_available = parse_meminfo(read_small_file(proc / "meminfo"), "MemAvailable");
  load.memory_kills = parse_vmstat(read_small_file(proc / "vmstat"), "oom_kill");
  return load;
}

}  // namespace perf

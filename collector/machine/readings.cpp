#include "collector/machine/readings.h"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "collector/process/captured_text.h"
#include "schema/files/content.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

std::optional<std::int64_t> amount(std::string_view text) {
  const auto value = whole_number(text);
  return value && *value >= 0 ? value : std::nullopt;
}

}  // namespace

std::string read_small_file(const std::filesystem::path& file, std::size_t limit) {
  const Descriptor opened = open_file(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  std::string text;
  const bool is_read = regular_size(opened) && read_up_to(opened.number(), limit, text) == 0;
  return is_read ? text : "";
}

std::string read_line_of(const std::filesystem::path& file) {
  return to_one_line(first_line(read_small_file(file, 4096)));
}

void put_fact(std::map<std::string, std::string>& facts, const std::string& name,
              std::string_view value) {
  const std::string line = to_one_line(value);
  if (!line.empty()) {
    facts[name] = line;
  }
}

std::optional<std::int64_t> read_number(const std::filesystem::path& file) {
  return whole_number(read_line_of(file));
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  return parsed<std::int64_t>(trimmed(text, " \t\n"));
}

std::vector<std::filesystem::path> numbered_entries(const std::filesystem::path& folder,
                                                    std::string_view prefix) {
  std::map<std::int64_t, std::filesystem::path> entries;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const std::optional<std::int64_t> number =
        name.starts_with(prefix) ? whole_number(name.substr(prefix.size())) : std::nullopt;
    if (number && *number >= 0) {
      entries.emplace(*number, it->path());
    }
  }
  return mapped(entries, [](const auto& entry) { return entry.second; });
}

std::optional<std::string_view> value_named(std::string_view text, std::string_view name,
                                            char separator) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos && trimmed(line.substr(0, at)) == name) {
      return trimmed(line.substr(at + 1));
    }
  }
  return std::nullopt;
}

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

#include "collector/machine/pressure.h"

#include <unistd.h>

#include <limits>
#include <string>

#include "collector/machine/small_file.h"
#include "schema/text_parts.h"

namespace perf {
namespace {

/// What stands in the first line that begins with the word `name`, behind it.
std::optional<std::string_view> line_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (take_word(line) == name) {
      return line;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> amount(std::string_view word) {
  const auto value = parsed<std::int64_t>(word);
  return value && *value >= 0 ? value : std::nullopt;
}

}  // namespace

std::optional<double> parse_steal(std::string_view stat, double ticks_per_second) {
  constexpr int kStealField = 8;
  std::string_view line = line_of(stat, "cpu").value_or(""), word;
  for (int field = 0; field < kStealField; ++field) {
    word = take_word(line);
  }
  const std::optional<std::int64_t> ticks = amount(word);
  return ticks && ticks_per_second > 0
             ? std::optional<double>(static_cast<double>(*ticks) / ticks_per_second)
             : std::nullopt;
}

std::optional<double> parse_pressure(std::string_view pressure) {
  constexpr std::string_view kTotal = "total=";
  std::string_view line = line_of(pressure, "some").value_or("");
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (word.starts_with(kTotal)) {
      const std::optional<std::int64_t> microseconds = amount(word.substr(kTotal.size()));
      return microseconds ? std::optional<double>(1e-6 * static_cast<double>(*microseconds))
                          : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_meminfo(std::string_view meminfo, std::string_view field) {
  constexpr std::int64_t kUnit = 1024;  // its "kB" are KiB
  std::string_view line = line_of(meminfo, std::string(field) + ":").value_or("");
  const std::optional<std::int64_t> kib = amount(take_word(line));
  if (!kib || *kib > std::numeric_limits<std::int64_t>::max() / kUnit || take_word(line) != "kB") {
    return std::nullopt;
  }
  return *kib * kUnit;
}

std::optional<std::int64_t> parse_vmstat(std::string_view vmstat, std::string_view field) {
  std::string_view line = line_of(vmstat, field).value_or("");
  return amount(take_word(line));
}

MachineLoad read_machine_load(const std::filesystem::path& root) {
  const auto text = [&](const char* name) {
    return read_small_file(root / "proc" / name).value_or("");
  };
  MachineLoad load;
  load.steal = parse_steal(text("stat"), static_cast<double>(sysconf(_SC_CLK_TCK)));
  load.cpu_pressure = parse_pressure(text("pressure/cpu"));
  load.memory_available = parse_meminfo(text("meminfo"), "MemAvailable");
  load.memory_kills = parse_vmstat(text("vmstat"), "oom_kill");
  return load;
}

}  // namespace perf

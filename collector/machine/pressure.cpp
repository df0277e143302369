#include "collector/machine/pressure.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "collector/machine/small_file.h"

namespace perf {
namespace {

/// Takes the next blank-separated word off the front.
std::string_view take_word(std::string_view& text) {
  constexpr std::string_view kBlank = " \t";
  const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  const std::size_t end = std::min(text.find_first_of(kBlank, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::optional<std::uint64_t> number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || word.empty()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<double> parse_steal(std::string_view stat, double ticks_per_second) {
  constexpr int kStealField = 8;
  while (!stat.empty()) {
    std::string_view line = take_line(stat);
    if (take_word(line) != "cpu") {
      continue;
    }
    std::string_view word;
    for (int field = 0; field < kStealField; ++field) {
      word = take_word(line);
    }
    const std::optional<std::uint64_t> ticks = number(word);
    if (!ticks || !(ticks_per_second > 0)) {
      return std::nullopt;
    }
    return static_cast<double>(*ticks) / ticks_per_second;
  }
  return std::nullopt;
}

std::optional<double> parse_pressure(std::string_view pressure) {
  constexpr std::string_view kTotal = "total=";
  while (!pressure.empty()) {
    std::string_view line = take_line(pressure);
    if (take_word(line) != "some") {
      continue;
    }
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word.substr(0, kTotal.size()) == kTotal) {
        const std::optional<std::uint64_t> microseconds = number(word.substr(kTotal.size()));
        return microseconds ? std::optional<double>(1e-6 * static_cast<double>(*microseconds))
                            : std::nullopt;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_meminfo(std::string_view meminfo, std::string_view field) {
  constexpr std::uint64_t kUnit = 1024;  // its "kB" are KiB
  while (!meminfo.empty()) {
    std::string_view line = take_line(meminfo);
    const std::string_view name = take_word(line);
    if (name.size() != field.size() + 1 || name.back() != ':' ||
        name.substr(0, field.size()) != field) {
      continue;
    }
    const std::optional<std::uint64_t> amount = number(take_word(line));
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max() / kUnit;
    if (!amount || *amount > kMost || take_word(line) != "kB") {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(*amount * kUnit);
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_vmstat(std::string_view vmstat, std::string_view field) {
  while (!vmstat.empty()) {
    std::string_view line = take_line(vmstat);
    if (take_word(line) == field) {
      const std::optional<std::uint64_t> count = number(take_word(line));
      constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
      return count && *count <= kMost ? std::optional(static_cast<std::int64_t>(*count))
                                      : std::nullopt;
    }
  }
  return std::nullopt;
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

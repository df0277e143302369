#include <algorithm>
#include <initializer_list>
#include <sstream>

#include "collector/machine/readings.h"
#include "collector/process/captured_text.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// "off" and "on" for "0" and "1"; other values unchanged.
std::string on_or_off(const std::string& value, bool inverted = false) {
  const bool is_switch = value == "0" || value == "1";
  return !is_switch ? value : (value == "1") != inverted ? "on" : "off";
}

/// Whether a word is in a list separated by blanks.
bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    if (take_word(words) == word) {
      return true;
    }
  }
  return false;
}

bool overlap(const CpuRanges& left, const CpuRanges& right) {
  return std::ranges::any_of(left, [&right](const auto& one) {
    return std::ranges::any_of(right, [&one](const auto& other) {
      return one.first <= other.second && other.first <= one.second;
    });
  });
}

}  // namespace

Processor parse_cpuinfo(std::string_view cpuinfo) {
  const auto value = [&](std::string_view name) {
    return to_one_line(value_named(cpuinfo, name, ':').value_or(""));
  };
  const auto known = [](std::string text) { return text.empty() ? "?" : text; };
  Processor processor;
  processor.model = value("model name");
  const std::string implementer = value("CPU implementer"), part = value("CPU part");
  if (processor.model.empty() && !implementer.empty() && !part.empty()) {
    processor.model = "ARM implementer " + implementer + " part " + part + " variant " +
                      known(value("CPU variant")) + " revision " + known(value("CPU revision"));
  } else if (processor.model.empty()) {
    processor.model = value("cpu");  // POWER
  }
  processor.microcode = value("microcode");
  if (const std::optional<std::string_view> flags = value_named(cpuinfo, "flags", ':')) {
    processor.virtualized = has_word(*flags, "hypervisor");
  }
  return processor;
}

std::map<std::string, std::string> read_processor_settings(const std::filesystem::path& root) {
  const std::filesystem::path cpu = root / "sys/devices/system/cpu";
  std::map<std::string, std::string> settings;
  put_fact(settings, "governor", read_line_of(cpu / "cpu0/cpufreq/scaling_governor"));
  put_fact(settings, "frequency_driver", read_line_of(cpu / "cpu0/cpufreq/scaling_driver"));
  put_fact(settings, "boost", on_or_off(read_line_of(cpu / "cpufreq/boost")));
  put_fact(settings, "boost", on_or_off(read_line_of(cpu / "intel_pstate/no_turbo"), true));
  put_fact(settings, "smt", on_or_off(read_line_of(cpu / "smt/active")));
  put_fact(settings, "cpus_online", read_line_of(cpu / "online"));
  put_fact(settings, "clock_source",
           read_line_of(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"));
  const std::size_t nodes = numbered_entries(root / "sys/devices/system/node", "node").size();
  if (nodes > 0) {
    settings["numa_nodes"] = std::to_string(nodes);
  }
  return settings;
}

std::optional<CpuRanges> parse_cpu_list(std::string_view text) {
  CpuRanges ranges;
  std::stringstream parts{std::string(text)};
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dash = part.find('-');
    const std::optional<std::int64_t> first = whole_number(part.substr(0, dash));
    const std::optional<std::int64_t> last =
        dash == std::string::npos ? first : whole_number(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first) {
      return std::nullopt;
    }
    ranges.emplace_back(*first, *last);
  }
  return ranges;
}

std::map<std::string, int> read_governors(const std::filesystem::path& root) {
  std::map<std::string, int> governors;
  for (const auto& cpu : numbered_entries(root / "sys/devices/system/cpu", "cpu")) {
    ++governors[read_line_of(cpu / "cpufreq/scaling_governor")];
  }
  governors.erase("");  // CPUs without a governor
  return governors;
}

std::optional<int> read_allowed_nodes(const std::filesystem::path& root) {
  const std::string status = read_small_file(root / "proc/self/status");
  const std::optional<std::string_view> list = value_named(status, "Cpus_allowed_list", ':');
  const std::optional<CpuRanges> allowed = list ? parse_cpu_list(*list) : std::nullopt;
  if (!allowed || allowed->empty()) {
    return std::nullopt;
  }
  int nodes = 0;
  for (const auto& node : numbered_entries(root / "sys/devices/system/node", "node")) {
    const std::optional<CpuRanges> cpus = parse_cpu_list(read_line_of(node / "cpulist"));
    nodes += cpus && overlap(*cpus, *allowed) ? 1 : 0;
  }
  return nodes > 0 ? std::optional<int>(nodes) : std::nullopt;
}

std::optional<VectorUnit> parse_vector_unit(std::string_view cpuinfo) {
  const std::optional<std::string_view> flags = value_named(cpuinfo, "flags", ':');
  const auto has_all = [&flags](std::initializer_list<const char*> wanted) {
    return flags &&
           std::ranges::all_of(wanted, [&](const char* flag) { return has_word(*flags, flag); });
  };
  if (has_all({"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"})) {
    return VectorUnit::avx512;
  }
  if (has_all({"avx2", "fma"})) {
    return VectorUnit::avx2;
  }
  if (has_all({"avx"})) {
    return VectorUnit::avx;
  }
  return has_all({"sse2"}) ? std::optional<VectorUnit>(VectorUnit::sse) : std::nullopt;
}

}  // namespace perf

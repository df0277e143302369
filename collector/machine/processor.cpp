#include "collector/machine/processor.h"

#include <algorithm>

#include "collector/machine/numbered.h"
#include "collector/machine/small_file.h"
#include "collector/process/captured_text.h"

namespace perf {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r");
  return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos;
       at = words.find(word, at + 1)) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (begins && (end == words.size() || words[end] == ' ')) {
      return true;
    }
  }
  return false;
}

/// "0" and "1" in the words that people use; anything else as it is.
std::optional<std::string> on_or_off(std::optional<std::string> value, bool inverted = false) {
  if (value == "0" || value == "1") {
    return (*value == "1") != inverted ? "on" : "off";
  }
  return value;
}

}  // namespace

Processor parse_cpuinfo(std::string_view cpuinfo) {
  std::map<std::string_view, std::string_view> first;
  while (!cpuinfo.empty()) {
    const std::size_t end = std::min(cpuinfo.find('\n'), cpuinfo.size());
    const std::string_view line = cpuinfo.substr(0, end);
    cpuinfo.remove_prefix(std::min(end + 1, cpuinfo.size()));
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      first.emplace(trim(line.substr(0, colon)), trim(line.substr(colon + 1)));
    }
  }
  const auto value = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = first.find(name);
    if (found == first.end()) {
      return std::nullopt;
    }
    std::string text = to_one_line(found->second);
    return text.empty() ? std::nullopt : std::optional<std::string>(std::move(text));
  };
  Processor processor;
  processor.model = value("model name");
  if (!processor.model) {
    const std::optional<std::string> implementer = value("CPU implementer"),
                                     part = value("CPU part");
    if (implementer && part) {
      processor.model = "ARM implementer " + *implementer + " part " + *part + " variant " +
                        value("CPU variant").value_or("?") + " revision " +
                        value("CPU revision").value_or("?");
    } else {
      processor.model = value("cpu");  // POWER
    }
  }
  processor.microcode = value("microcode");
  const auto flags = first.find("flags");
  if (flags != first.end()) {
    processor.virtualized = has_word(flags->second, "hypervisor");
  }
  return processor;
}

std::map<std::string, std::string> read_processor_settings(const std::filesystem::path& root) {
  const std::filesystem::path cpu = root / "sys/devices/system/cpu";
  std::map<std::string, std::string> settings;
  const auto put = [&](const char* name, const std::optional<std::string>& value) {
    if (value) {
      settings.emplace(name, *value);
    }
  };
  put("governor", read_line_of(cpu / "cpu0/cpufreq/scaling_governor"));
  put("frequency_driver", read_line_of(cpu / "cpu0/cpufreq/scaling_driver"));
  put("boost", on_or_off(read_line_of(cpu / "intel_pstate/no_turbo"), true));
  put("boost", on_or_off(read_line_of(cpu / "cpufreq/boost")));
  put("smt", on_or_off(read_line_of(cpu / "smt/active")));
  put("cpus_online", read_line_of(cpu / "online"));
  put("clock_source",
      read_line_of(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"));
  const std::size_t nodes = numbered_entries(root / "sys/devices/system/node", "node").size();
  if (nodes > 0) {
    settings.emplace("numa_nodes", std::to_string(nodes));
  }
  return settings;
}

}  // namespace perf

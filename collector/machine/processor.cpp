#include "collector/machine/processor.h"

#include "collector/machine/small_file.h"
#include "collector/process/captured_text.h"
#include "schema/text_parts.h"

namespace perf {
namespace {

/// "0" and "1" in the words that people use; anything else as it is.
std::optional<std::string> on_or_off(std::optional<std::string> value, bool inverted = false) {
  if (value == "0" || value == "1") {
    return (*value == "1") != inverted ? "on" : "off";
  }
  return value;
}

}  // namespace

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    if (take_word(words) == word) {
      return true;
    }
  }
  return false;
}

Processor parse_cpuinfo(std::string_view cpuinfo) {
  const auto value = [&](std::string_view name) -> std::optional<std::string> {
    std::string text = to_one_line(value_named(cpuinfo, name, ':').value_or(""));
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
  if (const std::optional<std::string_view> flags = value_named(cpuinfo, "flags", ':')) {
    processor.virtualized = has_word(*flags, "hypervisor");
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

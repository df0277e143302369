#include <cstdio>

#include "collector/device/devices.h"

namespace perf::nvml {
namespace {

void print(const char* name, const std::string& value) {
  if (!value.empty()) {
    std::printf("%s\t%s\n", name, value.c_str());
  }
}

template <class Number>
void print(const char* name, const std::optional<Number>& value) {
  print(name, value ? std::to_string(*value) : "");
}

/// Of a setting that is on (1) or off (0).
void print_switch(const char* name, const std::optional<unsigned>& value) {
  print(name, value ? (*value == 0 ? "off" : "on") : "");
}

void print_device(const Library& library, const Visible& one) {
  std::printf("device\t%s\n", text<kUuidSize>(library.uuid, one.device).c_str());
  print("name", text<kNameSize>(library.name, one.card));
  print("memory", memory_total(library, one.device));
  print_switch("mig", number(library.mig_mode, one.card));
  print_switch("ecc", number(library.ecc_mode, one.card));
  print("power_limit", number(library.power_limit, one.card));
  print("default_power_limit", number(library.default_power_limit, one.card));
  print("max_clock", number(library.max_clock, one.card, kSmClock));
  print("application_clock", number(library.application_clock, one.card, kSmClock));
  print_switch("persistence", number(library.persistence, one.card));
  print("pci_width", number(library.pci_width, one.card));
  print_switch("display", number(library.display, one.card));
  const auto reasons = number(library.reasons, one.card);
  print_switch("clocks_set",
               reasons ? std::optional<unsigned>((*reasons & kClocksSet) != 0) : std::nullopt);
  print("throttled", reason_names(reasons.value_or(0)));
  const auto pids = processes_on(library, one.device);
  for (const unsigned pid : pids.value_or(std::vector<unsigned>())) {
    print("process", std::to_string(pid) + " " + process_name(pid));
  }
}

}  // namespace

int print_facts(const Devices& devices) {
  const Library& library = devices.library;
  print("problem", devices.problem);
  char driver[kVersionSize] = "";
  int cuda = 0;
  if (!devices.visible.empty()) {
    if (library.driver_version != nullptr && library.driver_version(driver, sizeof driver) == 0) {
      print("driver", driver);
    }
    if (library.cuda_version != nullptr && library.cuda_version(&cuda) == kSuccess) {
      print("cuda", std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10));
    }
  }
  for (const Visible& one : devices.visible) {
    print_device(library, one);
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace perf::nvml

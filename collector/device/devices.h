#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "collector/device/nvml.h"

namespace perf::nvml {

/// A device that CUDA shows to programs: a card, or an instance of one (MIG).
struct Visible {
  Device device = nullptr;  ///< with its own memory and processes
  Device card = nullptr;    ///< with clocks, energy and power: the same, unless it is an instance
  bool is_instance() const { return device != card; }
};

/// The devices of this machine, or why there are none.
struct Devices {
  Library library{};
  std::string problem{};  ///< "no NVIDIA driver library"; empty where all is well
  bool absent = false;    ///< there is nothing to watch, which is no fault
  std::vector<Visible> visible{};
};

/// Loads libnvidia-ml.so.1 and finds the devices of CUDA_VISIBLE_DEVICES: indices in NVML's order
/// (that of PCI), or UUIDs, also shortened, of cards and instances. As in CUDA, an invalid entry
/// hides all that follow it, and of the instances of cards only the first is shown by default.
Devices find_devices(const char* cuda_visible_devices);

/// The words for a result other than success.
std::string problem_of(Result result);

/// A number that a function of this device writes; nothing where it is missing or fails.
template <class Number>
std::optional<Number> number(Result (*function)(Device, Number*), Device device) {
  Number value{};
  return function != nullptr && function(device, &value) == kSuccess ? std::optional(value)
                                                                     : std::nullopt;
}

/// The same of a function that also takes which number: a clock, a sensor.
inline std::optional<unsigned> number(Result (*function)(Device, unsigned, unsigned*),
                                      Device device, unsigned which) {
  unsigned value = 0;
  return function != nullptr && function(device, which, &value) == kSuccess ? std::optional(value)
                                                                            : std::nullopt;
}

/// The first of two numbers: a mode as it is now, before what it will be after a restart.
inline std::optional<unsigned> number(Result (*function)(Device, unsigned*, unsigned*),
                                      Device device) {
  unsigned current = 0, pending = 0;
  return function != nullptr && function(device, &current, &pending) == kSuccess
             ? std::optional(current)
             : std::nullopt;
}

/// A text of at most so many bytes; empty where the function is missing or fails.
template <std::size_t kSize>
std::string text(Result (*function)(Device, char*, unsigned), Device device) {
  char value[kSize] = "";
  return function != nullptr && function(device, value, kSize) == kSuccess ? value : "";
}

/// B in use, without what the driver reserves where it says so.
std::optional<unsigned long long> memory_used(const Library& library, Device device);
std::optional<unsigned long long> memory_total(const Library& library, Device device);

/// The processes that compute on the device, those of MPS clients included; nothing where the
/// driver does not list them.
std::optional<std::vector<unsigned>> processes_on(const Library& library, Device device);

/// "power cap, thermal slowdown"; empty without any.
std::string reason_names(unsigned long long reasons);

/// Prints facts and processes of the devices, for machine/devices.cpp: lines of a name, a tab and
/// a value. Returns the exit status.
int print_facts(const Devices& devices);

/// Ends this process, by SIGALRM, if a call of the driver takes longer; 0: no longer.
void limit_call(int milliseconds);

/// Samples the devices until SIGTERM, then prints what they did: see watch.cpp.
int watch(const Devices& devices, int own, int patience_ms);

/// A file of /proc/PID, its first 4096 B; empty where it cannot be read.
std::string proc_file(unsigned pid, const char* name);

/// The name of a process, in one line; empty where it is not known.
std::string process_name(unsigned pid);

}  // namespace perf::nvml

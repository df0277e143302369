// GPUs: what makes their clock, and so every time on them, vary.

#include <cmath>

#include "analyzer/doctor/diagnosis_rules.h"
#include "schema/text/text_parts.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

std::string gpu_fact(const DeviceState& device, const std::string& name) {
  const auto found = device.facts.find(name);
  return found == device.facts.end() ? "" : found->second;
}

Cause gpu_persistence(const DeviceState& device) {
  const std::string mode = gpu_fact(device, "persistence");
  return mode.empty()   ? unknown("gpu_persistence")
         : mode == "on" ? good("gpu_persistence", "on")
                        : note("gpu_persistence", "off",
                               "without programs the driver stops the GPU: the next one starts it",
                               as_root("nvidia-smi -pm 1"));
}

/// The driver shows application clocks; locked ones only by the reason for the clock.
Cause gpu_clocks(const DeviceState& device) {
  const std::string set = gpu_fact(device, "application_clock"),
                    most = gpu_fact(device, "max_clock");
  if (gpu_fact(device, "clocks_set") == "on" || (!set.empty() && set != most)) {
    return good("gpu_clocks", "set" + (set.empty() ? "" : " to " + set + " MHz"));
  }
  return most.empty() ? unknown("gpu_clocks")
                      : note("gpu_clocks", "not locked, up to " + most + " MHz",
                             "the clock depends on heat and power, on both sides of a pair",
                             as_root("nvidia-smi --lock-gpu-clocks MHZ, a clock that the GPU keeps "
                                     "under load"));
}

Cause gpu_power(const DeviceState& device) {
  const std::string reasons = gpu_fact(device, "throttled");
  const auto limit = parsed<double>(gpu_fact(device, "power_limit")),
             usual = parsed<double>(gpu_fact(device, "default_power_limit"));
  constexpr double kMilliwatts = 1000;
  const auto watts = [](double power) { return tenths(power / kMilliwatts) + " W"; };
  if (!reasons.empty()) {
    return bad("gpu_power", "the clock is lowered now: " + reasons,
               "times on the GPU depend on its power and heat",
               as_root("lock a lower clock, cool the GPU, or raise the limit (nvidia-smi -pl W)"));
  }
  if (limit && usual && *limit < *usual) {
    return note("gpu_power", "limited to " + watts(*limit) + " of " + watts(*usual),
                "under load the clock falls until the power fits",
                as_root("nvidia-smi -pl " + std::to_string(std::lround(*usual / kMilliwatts))));
  }
  return limit ? good("gpu_power", "limit " + watts(*limit)) : unknown("gpu_power");
}

Cause gpu_ecc(const DeviceState& device) {
  const std::string mode = gpu_fact(device, "ecc");
  return mode.empty()   ? unknown("gpu_ecc")
         : mode == "on" ? good("gpu_ecc", "on")
                        : note("gpu_ecc", "off", "errors in memory stay unnoticed",
                               as_root("nvidia-smi -e 1, and reset the GPU"));
}

Cause gpu_mig(const DeviceState& device) {
  const std::string mode = gpu_fact(device, "mig");
  return mode.empty()    ? unknown("gpu_mig")
         : mode == "off" ? good("gpu_mig", "off")
                         : note("gpu_mig", "on: one instance of a divided GPU",
                                "the other instances share its power, and so its clock",
                                as_root("leave the others idle, or nvidia-smi -mig 0"));
}

Cause gpu_display(const DeviceState& device) {
  const std::string display = gpu_fact(device, "display");
  return display.empty()    ? unknown("gpu_display")
         : display == "off" ? good("gpu_display", "none")
                            : note("gpu_display", "attached", "drawing takes time on the GPU",
                                   as_root("systemctl isolate multi-user.target"));
}

Cause gpu_processes(const DeviceState& device) {
  return device.processes.empty()
             ? good("gpu_processes", "none listed")
             : bad("gpu_processes", "in use by " + listed(device.processes),
                   "pairs beside another process are dropped", "end them, or use another GPU");
}

}  // namespace

std::vector<Cause> diagnose_device(const MachineState& state) {
  const std::string& problem = state.devices_problem;
  if (problem == kNoDeviceDriver || (problem.empty() && state.devices.empty())) {
    return {problem.empty() ? unknown("gpu") : good("gpu", problem)};
  }
  std::vector<Cause> causes;
  if (!problem.empty()) {
    causes.push_back(
        note("gpu", problem, "what it does cannot be watched", "check that nvidia-smi works here"));
  }
  for (const DeviceState& device : state.devices) {
    for (const auto check :
         {gpu_persistence, gpu_clocks, gpu_power, gpu_ecc, gpu_mig, gpu_display, gpu_processes}) {
      Cause cause = check(device);
      if (state.devices.size() > 1 && cause.severity != Severity::unknown) {
        cause.what = "GPU " + std::to_string(&device - state.devices.data()) + ": " + cause.what;
      }
      causes.push_back(std::move(cause));
    }
  }
  return causes;
}

}  // namespace perf

// GPUs: what makes their clock, and so every time on them, vary.

#include <cmath>

#include "analyzer/doctor/diagnosis_rules.h"
#include "schema/text/text_parts.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

std::string gpu_fact(const DeviceState& device, const std::string& name) {
  return value_or_empty(device.facts, name);
}

/// A fact with one good value; the remedy needs root.
struct GoodValue {
  std::string fact, value, shown;
  std::string otherwise, why, remedy;
};

const GoodValue kGoodValues[] = {
    {"persistence", "on", "on", "off",
     "without programs the driver stops the GPU: the next one starts it", "nvidia-smi -pm 1"},
    {"ecc", "on", "on", "off", "errors in memory stay unnoticed",
     "nvidia-smi -e 1, and reset the GPU"},
    {"mig", "off", "off", "on: one instance of a divided GPU",
     "the other instances share its power, and so its clock",
     "leave the others idle, or nvidia-smi -mig 0"},
    {"display", "off", "none", "attached", "drawing takes time on the GPU",
     "systemctl isolate multi-user.target"},
};

Cause gpu_value(const DeviceState& device, const GoodValue& good_value) {
  const std::string value = gpu_fact(device, good_value.fact), code = "gpu_" + good_value.fact;
  return value.empty() ? unknown(code)
         : value == good_value.value
             ? good(code, good_value.shown)
             : note(code, good_value.otherwise, good_value.why, as_root(good_value.remedy));
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
    std::vector<Cause> of_device = {gpu_clocks(device), gpu_power(device), gpu_processes(device)};
    for (const GoodValue& good_value : kGoodValues) {
      of_device.push_back(gpu_value(device, good_value));
    }
    for (Cause& cause : of_device) {
      if (state.devices.size() > 1 && cause.severity != Severity::unknown) {
        cause.what = "GPU " + std::to_string(&device - state.devices.data()) + ": " + cause.what;
      }
      causes.push_back(std::move(cause));
    }
  }
  return causes;
}

}  // namespace perf

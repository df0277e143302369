// How fast the processor runs, and what changes that during measurements.

#include <limits>
#include <string_view>

#include "analyzer/doctor/diagnosis_rules.h"
#include "analyzer/samples/samples.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

bool is_bare_metal(const MachineState& state) {
  return fact_of(state, "hypervisor") == "none";
}

Cause governor(const MachineState& state) {
  std::string governors;
  bool follows_load = false;
  for (const auto& [name, cpus] : state.governors) {
    governors += (governors.empty() ? "" : ", ") + name + " on " + counted(cpus, "CPU");
    follows_load = follows_load || !is_one_of(name, {"performance", "userspace"});
  }
  if (governors.empty()) {
    return unknown("governor");
  }
  return graded(follows_load ? Severity::bad : Severity::good, "governor", governors,
                "the clock follows the load: steps begin slow and end fast",
                as_root("cpupower frequency-set -g performance"));
}

Cause frequency_driver(const MachineState& state) {
  const std::string driver = fact_of(state, "frequency_driver");
  if (driver.empty()) {
    return is_bare_metal(state)
               ? note("frequency_driver", "none",
                      "the firmware controls the clock, so the kernel cannot fix it",
                      "in the firmware setup, let the system manage power, or choose maximum "
                      "performance")
               : unknown("frequency_driver");
  }
  // Documentation/cpu-freq: the one cannot keep up with many CPUs, the other skips cycles.
  return is_one_of(driver, {"pcc-cpufreq", "p4-clockmod"})
             ? note("frequency_driver", driver, "this driver changes the clock late and coarsely",
                    "in the firmware setup, let the system manage power")
             : good("frequency_driver", driver);
}

Cause boost(const MachineState& state) {
  const std::string boosting = fact_of(state, "boost");
  if (boosting == "off") {
    return good("boost", "off");
  }
  if (boosting != "on") {
    return unknown("boost");
  }
  const bool intel =
      is_one_of(fact_of(state, "frequency_driver"), {"intel_pstate", "intel_cpufreq"});
  return note("boost", "on", "the clock depends on heat and on how many cores are busy",
              intel ? as_root("echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo")
                    : as_root("echo 0 > /sys/devices/system/cpu/cpufreq/boost"));
}

Cause thermal(const MachineState& state) {
  const std::string why = "a hot processor lowers its clock, so later runs are slower";
  const Remedy remedy = "let it cool, clean its fans, or use fewer threads";
  const double margin = state.thermal_margin.value_or(std::numeric_limits<double>::infinity());
  if (state.activity.thermal_events.value_or(0) > 0) {
    return bad("thermal", "throttled by heat during the check", why, remedy);
  }
  if (margin <= 0) {
    return bad("thermal", "at the temperature where it throttles", why, remedy);
  }
  if (margin <= kThermalMargin) {
    return note("thermal", tenths(margin) + " K below the throttling temperature", why, remedy);
  }
  if (state.thermal_events.value_or(0) > 0) {
    return note("thermal",
                "throttled by heat " +
                    counted(static_cast<std::size_t>(*state.thermal_events), "time") +
                    " since boot, not during the check",
                why, remedy);
  }
  if (!state.thermal_events && !state.thermal_margin) {
    return unknown("thermal");
  }
  return good("thermal", state.thermal_margin
                             ? tenths(margin) + " K below the throttling temperature"
                             : "not throttled by heat since boot");
}

Cause power(const MachineState& state) {
  const std::string power = fact_of(state, "power");
  if (power == "mains") {
    return good("power", "mains");
  }
  return power == "battery" ? bad("power", "on battery", "clocks are lowered to save power",
                                  "connect it to mains power")
                            : unknown("power");
}

Cause platform_profile(const MachineState& state) {
  const std::string profile = state.platform_profile.value_or("");
  const std::string why = "the firmware lowers the speed to save power and noise";
  const Remedy remedy = as_root("echo performance > /sys/firmware/acpi/platform_profile");
  if (profile.empty()) {
    return unknown("platform_profile");
  }
  const Severity severity = profile == "performance"                             ? Severity::good
                            : is_one_of(profile, {"low-power", "quiet", "cool"}) ? Severity::bad
                                                                                 : Severity::note;
  return graded(severity, "platform_profile", profile, why, remedy);
}

}  // namespace

std::vector<Cause> diagnose_clock_speed(const MachineState& state) {
  return {governor(state), frequency_driver(state), boost(state), thermal(state),
          power(state),    platform_profile(state)};
}

}  // namespace perf

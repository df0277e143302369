#pragma once

#include <vector>

#include "schema/finding.h"
#include "schema/machine_state.h"

namespace perf {

/// From where on something is worth a word. docs/doctor.md says the same.
struct DiagnosisLimits {
  double busy_bad = 0.10;      ///< of all CPU time while watched, used by others
  double busy_note = 0.02;     ///< a second's ticks and our own start stay below it
  double load_note = 0.50;     ///< load average of the last minute, per CPU, on a machine now calm
  double pressure_bad = 0.05;  ///< of the time while watched, some task waiting for a CPU
  double pressure_note = 0.01;
  double steal_bad = 0.02;  ///< of all CPU time while watched, counted in ticks of mostly 10 ms
  double steal_note = 0.01;
  double steal_since_boot_bad = 0.05;  ///< of the time that was wanted since boot
  double steal_since_boot_note = 0.01;
  double thermal_margin = 5;       ///< K
  double memory_available = 0.10;  ///< of all memory
};

/// What `doctor` says of a machine: a finding or more for everything it looks at, worst first,
/// within a severity in the order of docs/doctor.md.
std::vector<Finding> diagnose(const MachineState& state, const DiagnosisLimits& limits = {});

}  // namespace perf

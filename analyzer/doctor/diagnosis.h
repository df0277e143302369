#pragma once

#include <vector>

#include "schema/diagnosis.h"
#include "schema/machine_state.h"

namespace perf {

// Limits, as in docs/doctor.md.

inline constexpr double kBusyBad = 0.10;      ///< of all CPU time while watched, used by others
inline constexpr double kBusyNote = 0.02;     ///< a second's ticks and our own start stay below it
inline constexpr double kLoadNote = 0.50;     ///< load average, per CPU, on a machine now calm
inline constexpr double kPressureBad = 0.05;  ///< of the time watched, some task waiting for a CPU
inline constexpr double kPressureNote = 0.01;
inline constexpr double kStealBad = 0.02;  ///< of CPU time watched, in ticks of mostly 10 ms
inline constexpr double kStealNote = 0.01;
inline constexpr double kStealSinceBootBad = 0.05;  ///< of the time that was wanted since boot
inline constexpr double kStealSinceBootNote = 0.01;
inline constexpr double kThermalMargin = 5;       ///< K
inline constexpr double kMemoryAvailable = 0.10;  ///< of all memory

/// What `doctor` reports of a machine: a cause or more for every check, worst first,
/// within a severity in the order of docs/doctor.md.
std::vector<Cause> diagnose(const MachineState& state);

}  // namespace perf

#pragma once

#include "collector/machine/activity.h"
#include "collector/machine/environment.h"
#include "schema/machine_state.h"

namespace perf {

/// Everything that `doctor` looks at about the machine, after watching it for `seconds`; programs
/// and workload_facts stay empty. Reads under sources.root; whether events can be opened is asked
/// of the kernel only where that is "/". Of environment variables an allow-list is read. Never
/// throws for what a source says.
MachineState read_machine_state(const ProbeSources& sources, double seconds,
                                const Patience& patience);

}  // namespace perf

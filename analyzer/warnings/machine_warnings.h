#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/environment.h"
#include "schema/policy.h"
#include "schema/warning.h"

namespace perf {

/// What the machine did to the processes of one workload, from what the kernel said of each:
/// `steal` (the hypervisor took processor time away) and `machine_pressure` (something waited for a
/// processor), as shares of their wall time above policy.steal_share and policy.pressure_share.
/// Processes of which the kernel said nothing count on neither side of the share.
std::vector<Warning> machine_warnings(const WorkloadSamples& samples, const Policy& policy);

/// The same of the whole run, where at least half of its measured workloads (and two) earn the
/// warning: then it is the machine's, not the workloads'.
std::vector<Warning> machine_warnings(const Standing& standing, const Policy& policy);

/// What changed about the machine while a run measured: `environment_changed` for each fact that is
/// known at both ends, differs, and can change a timing (governor, boost, power supply, cores
/// allowed, ...; not the load, which is measured elsewhere). Pairs cancel such a change; what was
/// measured before and after it is not of one machine.
std::vector<Warning> environment_warnings(const Environment& begin, const Environment& end);

}  // namespace perf

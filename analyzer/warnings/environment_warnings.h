#pragma once

#include <vector>

#include "schema/environment.h"
#include "schema/warning.h"

namespace perf {

/// What changed about the machine while a run measured: `environment_changed` for each fact that is
/// known at both ends, differs, and can change a timing (governor, boost, power supply, cores
/// allowed, ...; not the load, which is measured elsewhere). Pairs cancel such a change; what was
/// measured before and after it is not of one machine.
std::vector<Warning> environment_warnings(const Environment& begin, const Environment& end);

}  // namespace perf

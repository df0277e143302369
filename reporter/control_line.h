#pragma once

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// "control arms: 11 of 12 quiet; base against itself moved by 1.2 % at most; called changed:
/// parser step_time +12.1 % [+8.0, +16.2]". Nothing where no control arm ran.
Prose control_line(const Report& report);

}  // namespace perf::reporter

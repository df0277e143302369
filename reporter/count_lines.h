#pragma once

#include <string>
#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// What is counted rather than shown: what is unchanged, what is not judged, exact counts, control
/// arms, and what it took to measure. `in_full` is where the reader finds what is counted.
std::vector<Prose> count_lines(const Report& report, const std::string& in_full);

/// What exact counts of instructions say where no row of the table of changes says it: a line for
/// each count that moved by less than its threshold, with what its time did, and one for those that
/// are the same at base and head. Nothing where nothing was counted.
std::vector<Prose> exact_count_lines(const Report& report);

/// "control arms: 11 of 12 quiet; base against itself moved by 1.2 % at most; called changed:
/// parser step_time +12.1 % [+8.0, +16.2]". Nothing where no control arm ran.
Prose control_line(const Report& report);

}  // namespace perf::reporter

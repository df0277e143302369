#pragma once

#include <vector>

#include "schema/collection.h"
#include "schema/report.h"

namespace perf {

/// The exit codes of the command line, the first that applies; "asked wrongly" and errors of the
/// world come as exceptions, an interruption from the signal.
enum ExitCode { kFine = 0, kRegression = 1, kAskedWrongly = 2, kNotMeasured = 3, kUndecided = 4 };

/// Exit code of a finished report.
int exit_code(const Report& report, bool strict);

/// Exit code of verdicts from `judge`.
int exit_code(const std::vector<Comparison>& cases, bool strict);

/// 0 where something was measured, or nothing was lacking; 3 where nothing could be measured, and
/// where some of a single revision failed.
int exit_code(const Collection& collection);

}  // namespace perf

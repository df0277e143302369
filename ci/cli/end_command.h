#pragma once

#include <functional>
#include <vector>

#include "ci/cli/options/options.h"
#include "ci/cli/output_formats.h"
#include "schema/collection.h"
#include "schema/error.h"
#include "schema/measured.h"
#include "schema/report.h"

namespace perf {

/// The end of a command: says what could not be written, and answers what to exit with. Where a
/// signal asked to stop that is 128 and its number; else `code`, but 3 where something could not be
/// written and `code` tells of no regression.
int end_command(const std::vector<Error>& unwritten, int code);

/// Writes a result in every format that was asked for, and ends the command.
int end_command(const Renderings& renderings, const Options& options, int code);

/// The raw measurements behind a report; asked for where something draws them, and only then.
using MeasuredBehind = std::function<std::vector<MeasuredWorkload>()>;

/// Writes a comparison in every format that was asked for, and ends the command. `measured`: empty
/// where nothing is known of single steps. With --git-bisect the code says nothing of the writing.
int end_command(const Report& report, const MeasuredBehind& measured, const Options& options);

/// Writes what was collected in every form that was asked for, and ends the command. A collection
/// has no test cases, no families of metrics and no pictures: such an option is the caller's to
/// refuse.
int end_command(const Collection& collection, const Options& options);

}  // namespace perf

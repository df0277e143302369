#pragma once

#include <functional>
#include <vector>

#include "ci/cli/options/options.h"
#include "ci/cli/output/output.h"
#include "schema/collection.h"
#include "schema/error.h"
#include "schema/measured.h"
#include "schema/report.h"

namespace perf {

/// The exit codes of the command line, the first that applies; "asked wrongly" and errors of the
/// world come as exceptions, an interruption from the signal.
enum ExitCode { kFine = 0, kRegression = 1, kUsageError = 2, kNotMeasured = 3, kUndecided = 4 };

/// Exit code of a finished report; of a shard's 0 or 3.
int exit_code(const Report& report, bool strict);

/// Exit code of verdicts from `judge`.
int exit_code(const std::vector<Comparison>& cases, bool strict);

/// 0 where something was measured, or nothing was lacking; 3 where nothing could be measured, and
/// where some of a single revision failed.
int exit_code(const Collection& collection);

/// Exit codes for `git bisect run`, which takes 1 to 127 but 125 for "bad", 125 for "cannot be
/// tested", and stops at 128 and more. Nothing but a proven regression may be 1.
enum GitBisectCode { kBisectGood = 0, kBisectBad = 1, kBisectSkip = 125, kBisectStop = 128 };

/// Of a finished report: 1 where anything regressed; 0 where everything judged that both sides have
/// is proven unchanged or improved; else 125 (undecided, not measured, a failing output check,
/// nothing that both sides have).
int git_bisect_code(const Report& report);

/// Of a command that failed with the exit code `code`, its command line having been read: an
/// interruption stops the bisection; anything else, a name or glob that leads nowhere too, may be
/// this commit's own, which is skipped. (A command line that does not read is wrong at every
/// commit: kBisectStop.)
int git_bisect_code(int code);

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

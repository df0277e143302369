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

/// The exit codes, the first that applies; 2 and most of 3 come from exceptions.
enum ExitCode { kFine = 0, kRegression = 1, kUsageError = 2, kNotMeasured = 3, kUndecided = 4 };

/// This one and above: a signal ended the command; its number is the rest.
inline constexpr int kSignalled = 128;

/// The exit code of a finished report; 0 or 3 for a shard.
int exit_code(const Report& report, bool strict);

/// 0 if something was measured or nothing was missing; 3 if nothing could be measured, or if a
/// workload of a single revision failed.
int exit_code(const Collection& collection);

/// The code that a signal ends the command with, if one interrupted it; else `code`.
int unless_interrupted(int code);

/// Exit codes for `git bisect run`: 125 skips a commit, other codes up to 127 are "bad", 128 and
/// more stop. Only a proven regression may be 1.
enum GitBisectCode { kBisectGood = 0, kBisectBad = 1, kBisectSkip = 125, kBisectStop = 128 };

/// For a finished report: 1 if anything regressed; 0 if all judged rows of both sides are proven
/// unchanged or improved; else 125.
int git_bisect_code(const Report& report);

/// For a command that failed with `code`: an interruption stops the bisection; other failures may
/// depend on the commit, which is skipped. (An invalid command line fails at every commit:
/// kBisectStop.)
int git_bisect_code(int code);

/// Prints the errors and returns the exit code: 128 + the number of a signal; else `code`, but 3 if
/// there are errors and `code` is not a regression.
int end_command(const std::vector<Error>& unwritten, int code);

/// Writes a result in every requested format, and ends the command.
int end_command(const Renderings& renderings, const Options& options, int code);

/// The raw measurements of a report; called only if something draws them.
using MeasuredBehind = std::function<std::vector<MeasuredWorkload>()>;

/// Writes a comparison in every requested format, and ends the command. `measured` is empty without
/// single steps. With --git-bisect the exit code ignores write errors.
int end_command(const Report& report, const MeasuredBehind& measured, const Options& options);

/// Writes a collection in every requested format, and ends the command. The caller must refuse
/// --junit, --openmetrics and --plots.
int end_command(const Collection& collection, const Options& options);

}  // namespace perf

#pragma once

#include <string>
#include <vector>

#include "ci/cli/options.h"
#include "collector/git/repository.h"
#include "schema/report.h"

namespace perf {

/// Exit codes for `git bisect run`, which takes 1 to 127 but 125 for "bad", 125 for "cannot be
/// tested", and stops at 128 and more. Nothing but a proven regression may be 1.
enum GitBisectCode { kBisectGood = 0, kBisectBad = 1, kBisectSkip = 125, kBisectStop = 128 };

/// Of a finished report: 1 where anything regressed; 0 where everything judged is proven unchanged
/// or improved; else 125 (undecided, not measured, a failing output check).
int git_bisect_code(const Report& report);

/// Of a command that failed with the exit code `code`: what was asked wrongly is wrong at every
/// commit, and stops the bisection; an interruption stops it too; anything else may be this
/// commit's own, which is skipped.
int git_bisect_code(int code);

/// Whether a command line has --git-bisect, even one that does not read.
bool asks_for_git_bisect(const std::vector<std::string>& arguments);

/// Throws Error, not UsageError, where the commit that is checked out has no config that reads:
/// that is no reason to stop the bisection.
void require_config_of_commit(const Repository& repository, const Options& options);

}  // namespace perf

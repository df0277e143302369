#pragma once

#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/git/repository.h"
#include "schema/report.h"

namespace perf {

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

/// Whether a command line has --git-bisect, even one that does not read.
bool asks_for_git_bisect(const std::vector<std::string>& arguments);

/// Throws Error where the commit that is checked out has no config that reads, with the remedy of a
/// bisection: one config for all commits.
void require_config_of_commit(const Repository& repository, const Options& options);

}  // namespace perf

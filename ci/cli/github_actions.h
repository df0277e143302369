#pragma once

#include <vector>

#include "ci/cli/output_formats.h"
#include "schema/error.h"

namespace perf {

/// Tells GitHub Actions (and what speaks its language: Gitea, Forgejo) of a result: the summary is
/// added to the file of GITHUB_STEP_SUMMARY, outputs to that of GITHUB_OUTPUT, and the annotations
/// are printed, on standard error where standard output belongs to a report. Where neither variable
/// is set this is no such job: that is said, and the annotations are printed all the same. One
/// that cannot be written keeps none of the others back; answers what went wrong.
std::vector<Error> tell_github(const GithubRenderings& renderings, bool standard_output_is_taken);

}  // namespace perf

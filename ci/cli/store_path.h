#pragma once

#include <filesystem>

#include "ci/cli/options/options.h"
#include "collector/git/repository.h"

namespace perf {

/// Where results are kept: --db, else .perf-compare/results.db at the top of the working tree.
/// Throws UsageError where --db goes through a link out of the repository, and Error where the
/// commit that is checked out has a folder .perf-compare. Notes on standard error that a file of
/// that name is empty.
std::filesystem::path store_path(const Options& options, const Repository& repository);

}  // namespace perf

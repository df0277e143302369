#pragma once

#include <filesystem>

#include "ci/cli/options/options.h"
#include "collector/git/repository.h"

namespace perf {

/// Where results are kept: --db, else .perf-compare/results.db at the top of the working tree.
std::filesystem::path store_path(const Options& options, const Repository& repository);

}  // namespace perf

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "ci/cli/options/options.h"
#include "collector/git/repository.h"

namespace perf {

/// Where results are kept: --db, else .perf-compare/results.db at the top of the working tree.
/// Throws UsageError where --db goes through a link out of the repository, and Error where the
/// commit that is checked out has a folder .perf-compare. Notes on standard error that a file of
/// that name is empty.
std::filesystem::path store_path(const Options& options, const Repository& repository);

/// The same for who makes none; nothing where there is none. Throws Error where --db names one that
/// is not there, with what makes it ("pin NAME"), and where that cannot be told.
std::optional<std::filesystem::path> store_there(const Options& options,
                                                 const Repository& repository,
                                                 const std::string& what_makes_it);

}  // namespace perf

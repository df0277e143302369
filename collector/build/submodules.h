#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// Checks out the submodules of a checkout, and theirs, at the commits that it records: from the
/// objects that the user's own clone has of them (.git/modules), else from where .gitmodules says,
/// relative addresses by the user's own remote; credentials in addresses reach git alone, and no
/// file of the checkout. git's rules hold: no hooks, no local addresses but where
/// protocol.file.allow says so. Throws Error, with the command for the user's clone, where one
/// cannot be had.
void check_out_submodules(const Repository& repository, const std::filesystem::path& tree,
                          const std::filesystem::path& log);

/// The paths of a checkout's submodules that hold nothing.
std::vector<std::string> empty_submodules(const Repository& repository,
                                          const std::filesystem::path& tree);

}  // namespace perf

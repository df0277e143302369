#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// The files of a checkout that git-lfs keeps elsewhere (`filter=lfs` in .gitattributes) and of
/// which only the pointer is here (git-lfs, docs/spec.md); sorted. Throws Error where git cannot
/// list its files.
std::vector<std::string> lfs_pointers(const Repository& repository,
                                      const std::filesystem::path& tree);

/// Whether git puts the files themselves into checkouts: git-lfs is installed for the user, and not
/// told to leave them out.
bool brings_lfs_files(const Repository& repository);

/// The line for a shell by which a commit's files come whole.
std::string lfs_remedy(const Repository& repository, const std::string& oid);

}  // namespace perf

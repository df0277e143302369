#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "schema/warning.h"

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

/// What a checkout that does not build may lack (submodules, files of git-lfs), and how to have it;
/// empty where it lacks nothing. Both throw Error where git cannot list its files.
std::string remedy_of_tree(const Repository& repository, const std::string& oid,
                           const std::filesystem::path& tree);

/// Warns of what a checkout that does build lacks of its files, with the line for a shell that
/// brings them. `name` is for people: "base v1.2".
std::vector<Warning> warnings_of_tree(const Repository& repository, const std::string& name,
                                      const std::string& oid, const std::filesystem::path& tree);

}  // namespace perf

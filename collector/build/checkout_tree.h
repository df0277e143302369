#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "schema/warning.h"

namespace perf {

/// Lays a commit out in `tree`, a new folder: a small repository of its own that borrows the
/// objects of `repository`, which is only read, so that builds may ask git for the commit. No hooks
/// run, submodules stay empty, filters are those that the user has configured for all repositories;
/// what git says is appended to `log`. Throws Error where git cannot do it.
void check_out(const Repository& repository, const std::string& oid,
               const std::filesystem::path& tree, const std::filesystem::path& log);

/// How the tracked files of a checkout differ from its commit, as text to compare later: each
/// changed file with its size and time. Builds may change tracked files; workloads should not.
/// Throws Error where git cannot tell.
std::string tracked_changes(const Repository& repository, const std::filesystem::path& tree);

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

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "collector/git/repository.h"
#include "schema/warning.h"

namespace perf {

/// Checks a commit out in `tree`, a new folder: a small repository that borrows the objects of
/// `repository`, which is only read, so that builds can ask git for the commit. No hooks run,
/// submodules stay empty, and only filters that the user has configured for all repositories apply.
/// git's output is appended to `log`. Throws Error where git fails.
void check_out(const Repository& repository, const std::string& oid,
               const std::filesystem::path& tree, const std::filesystem::path& log);

/// The tracked files of a checkout that differ from its commit, each with size and time, as a text
/// to compare later. Builds may change tracked files; workloads should not. Throws Error where git
/// fails.
std::string tracked_changes(const Repository& repository, const std::filesystem::path& tree);

/// Checks out the submodules of a checkout, recursively, at the commits that it records: from the
/// objects in the user's own clone (.git/modules), else from the URLs in .gitmodules, relative ones
/// resolved by the user's remote. Credentials in URLs are passed to git only, never to files of the
/// checkout. No hooks run, and local URLs need git's protocol.file.allow. Throws Error, with the
/// command for the user's clone, where one is missing.
void check_out_submodules(const Repository& repository, const std::filesystem::path& tree,
                          const std::filesystem::path& log);

/// The paths of a checkout's empty submodules.
std::vector<std::string> empty_submodules(const Repository& repository,
                                          const std::filesystem::path& tree);

/// The git-lfs files of a checkout (`filter=lfs` in .gitattributes) that are only pointers
/// (git-lfs, docs/spec.md); sorted. Throws Error where git cannot list its files.
std::vector<std::string> lfs_pointers(const Repository& repository,
                                      const std::filesystem::path& tree);

/// Whether checkouts get the files themselves: git-lfs is installed for the user and not set to
/// skip them.
bool brings_lfs_files(const Repository& repository);

/// The shell command that fetches a commit's git-lfs files.
std::string lfs_remedy(const Repository& repository, const std::string& oid);

/// What a checkout that does not build may lack (submodules, git-lfs files), and how to get it;
/// empty where nothing is missing. Both throw Error where git cannot list its files.
std::string remedy_of_tree(const Repository& repository, const std::string& oid,
                           const std::filesystem::path& tree);

/// Files of the working tree that git does not have.
struct FilesNotInGit {
  std::vector<std::string> paths{};
  bool ignored = false;  ///< by .gitignore; else just not added

  std::string listed() const;
};

/// Those that a text names (a command, a message) and that `tree`, a checkout, lacks. `folder` is
/// where in the checkout the command ran. Empty where git fails.
FilesNotInGit files_not_in_git(const Repository& repository, const std::filesystem::path& tree,
                               std::string_view text, const std::filesystem::path& folder = {});

/// Warns about missing git-lfs files of a checkout that does build, with the command that fetches
/// them. `name` is for messages: "base v1.2".
std::vector<Warning> warnings_of_tree(const Repository& repository, const std::string& name,
                                      const std::string& oid, const std::filesystem::path& tree);

}  // namespace perf

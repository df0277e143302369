#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collector/process/process.h"
#include "schema/error.h"
#include "schema/revision.h"

struct git_repository;

namespace perf {

/// What a clone can lack: the history that it was cloned without, or names (all branches and tags,
/// and that history with them).
enum class Fetch { history, names };

/// A git repository with a working tree, read through libgit2, of which nothing shows here. Object
/// ids are full and hexadecimal everywhere. Names that people write are led to commits by resolve()
/// and, with pins and `baseline`, resolve_head() and resolve_base() (baseline.h);
/// questions about how commits hang together are in ancestry.h.
class Repository {
 public:
  /// Opens the repository that holds `inside`, looking upwards; linked worktrees too. A repository
  /// of another owner is opened only where git itself would, that is where the user's
  /// safe.directory says so; GIT_CEILING_DIRECTORIES ends the search as it ends git's. Throws
  /// UsageError when there is none, when it is bare, and when its working tree is another's (a
  /// folder of a tree that is laid out like a repository); Error when it cannot be read. Each says
  /// the command that mends it.
  static Repository open(const std::filesystem::path& inside, RunProcess run);

  /// The top of this working tree.
  const std::filesystem::path& workdir() const { return workdir_; }
  /// Holds this working tree's HEAD and index.
  const std::filesystem::path& git_dir() const { return git_dir_; }
  /// Holds objects and refs.
  const std::filesystem::path& common_dir() const { return common_dir_; }
  /// Runs the git command.
  const RunProcess& process() const { return run_; }
  bool is_shallow() const;  ///< history was cut when it was cloned

  /// The commit that any git expression leads to, `name` and `rule` filled: branches, tags
  /// (peeled), short ids, HEAD~2, origin/x, @{u}. nullopt where nothing has that name. Throws
  /// UsageError where it is ambiguous, no commit, or HEAD has no commit yet; Error where a shallow
  /// clone does not have it.
  std::optional<Revision> find(const std::string& expression) const;
  /// A commit by its id; `name` and `rule` empty. Throws Error where it is not there.
  Revision commit(const std::string& oid) const;
  bool has_commit(const std::string& oid) const;

  /// The commit of a reference by its full name (refs/...), links followed; nullopt where none is.
  std::optional<std::string> ref_commit(const std::string& full_name) const;
  /// What a symbolic reference names: refs/remotes/origin/HEAD -> refs/remotes/origin/main.
  std::optional<std::string> ref_target(const std::string& full_name) const;
  /// Every branch, remote branch and tag by its short name, sorted.
  std::vector<std::string> ref_names() const;

  /// The content of a regular file at a commit; nullopt where there is none of that path. Throws
  /// Error for anything else that has the path, and for more than 64 MiB.
  std::optional<std::string> read_file(const std::string& oid, const std::string& path) const;

  /// Whether a commit has anything of that path; not where a partial clone lacks its tree.
  bool has_path(const std::string& oid, const std::string& path) const;

  /// Writes a commit that no reference names: `tree` on top of `parent`, with the parent's
  /// committer and time as its own, so that equal trees give equal ids.
  std::string write_snapshot(const std::string& tree, const std::string& parent) const;
  /// The tree of a commit.
  std::string tree_of(const std::string& oid) const;

  /// The Error of a commit that this shallow clone lacks, with the command that brings it.
  Error history_is_cut(const std::string& subject) const;
  /// The line, for a shell in this clone, that fetches what it lacks from where it came from.
  std::string fetch_command(Fetch what) const;
  /// The name of who works here, as git has it for commits; empty where it has none.
  std::string user_name() const;
  /// The remote that `git fetch` takes, and its address; empty where there is none. Either may hold
  /// credentials, which are not for messages and files (settings.h).
  std::string remote_name() const;
  std::string remote_url() const;

 private:
  Repository() = default;

  std::unique_ptr<git_repository, void (*)(git_repository*)> handle_{nullptr, nullptr};
  RunProcess run_;
  std::filesystem::path workdir_, git_dir_, common_dir_;
};

/// Of the libgit2 that this process runs with: "1.5.1".
std::string libgit2_version();

/// The commit that a git expression leads to. Throws UsageError, with the nearest name that there
/// is, where nothing has that name; otherwise as Repository::find.
Revision resolve(const Repository& repository, const std::string& expression);

/// The UsageError of a name that leads nowhere; `others`: names beside those of git that could have
/// been meant.
UsageError unknown_name(const Repository& repository, const std::string& name,
                        const std::vector<std::string>& others = {});

/// The files of git's in the working tree that differ from HEAD or are staged; paths from the top,
/// sorted. What a sparse checkout left out, submodules, and our own .perf-compare/ do not count;
/// nor do files that git was never told of, although snapshot() takes them: alone they are mostly
/// reports, logs and builds, and whatever uses a new source file is itself changed.
std::vector<std::string> uncommitted_files(const Repository& repository);

/// The working tree as it is, as a commit that no reference names, on top of HEAD: modified and
/// untracked files included, ignored ones and .perf-compare/ left out, deletions made, submodules
/// and nested repositories as HEAD's index has them. The user's index, files and references are not
/// touched; equal trees on one HEAD give one id. A tree without changes gives HEAD itself, not
/// dirty. The content goes through the filters that the user has for all repositories (LFS, line
/// ends), as `git add` would do; see without_own_filters (settings.h). Throws UsageError where HEAD
/// has no commit yet.
Revision snapshot(const Repository& repository);

}  // namespace perf

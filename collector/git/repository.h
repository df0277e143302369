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

/// What a clone can be missing: history, or names (all branches and tags, with their history).
enum class Fetch { history, names };

/// A git repository with a working tree, read through libgit2. Object ids are full and hexadecimal
/// everywhere. resolve() resolves git revisions; resolve_head() and resolve_base() (baseline.h)
/// also pins and `baseline`. The history is in ancestry.h.
class Repository {
 public:
  /// Opens the repository that contains `inside`, searching upwards; also linked worktrees. As git
  /// does, opens another user's repository only if safe.directory allows it, and ends the search at
  /// GIT_CEILING_DIRECTORIES. Throws UsageError where there is none, where it is bare, and where
  /// its working tree is elsewhere (a folder that looks like a repository); Error where it cannot
  /// be read. Hints have the command that repairs it.
  static Repository open(const std::filesystem::path& inside, RunProcess run);

  /// The top of this working tree.
  const std::filesystem::path& workdir() const { return workdir_; }
  /// Contains this working tree's HEAD and index.
  const std::filesystem::path& git_dir() const { return git_dir_; }
  /// Contains objects and refs.
  const std::filesystem::path& common_dir() const { return common_dir_; }
  /// Runs the git command, without commands of the clone's own config (settings.h).
  const RunProcess& process() const { return run_; }
  bool is_shallow() const;  ///< cloned without all history

  /// The commit of any git expression, `name` and `rule` filled: branches, tags (peeled), short
  /// ids, HEAD~2, origin/x, @{u}. nullopt for an unknown name. Throws UsageError where it is
  /// ambiguous, not a commit, or HEAD has no commit yet; Error where a shallow clone does not have
  /// it.
  std::optional<Revision> find(const std::string& expression) const;
  /// A commit by its id; `name` and `rule` empty. Throws Error where it is missing.
  Revision commit(const std::string& oid) const;
  bool has_commit(const std::string& oid) const;

  /// The commit of a reference by its full name (refs/...), links followed; nullopt without one.
  std::optional<std::string> ref_commit(const std::string& full_name) const;
  /// The target of a symbolic reference: refs/remotes/origin/HEAD -> refs/remotes/origin/main.
  std::optional<std::string> ref_target(const std::string& full_name) const;
  /// Every branch, remote branch and tag by its short name, sorted.
  std::vector<std::string> ref_names() const;

  /// The content of a regular file at a commit; nullopt where the path does not exist. Throws Error
  /// for anything but a regular file, and for more than 64 MiB.
  std::optional<std::string> read_file(const std::string& oid, const std::string& path) const;

  /// Whether a commit has the path; false where a partial clone does not have its tree.
  bool has_path(const std::string& oid, const std::string& path) const;

  /// Writes a commit without a reference: `tree` on top of `parent`, with the parent's committer
  /// and time, so that equal trees give equal ids.
  std::string write_snapshot(const std::string& tree, const std::string& parent) const;
  /// The tree of a commit.
  std::string tree_of(const std::string& oid) const;

  /// The Error of a commit that this shallow clone does not have, with the command to fetch it.
  Error history_is_cut(const std::string& subject) const;
  /// The shell command that fetches what is missing from the clone's origin.
  std::string fetch_command(Fetch what) const;
  /// The user's name as git writes it into commits; empty where it is not set.
  std::string user_name() const;
  /// The remote that `git fetch` uses, and its URL; empty where there is none. Either may contain
  /// credentials, which must not get into messages and files (settings.h).
  std::string remote_name() const;
  std::string remote_url() const;

 private:
  Repository() = default;

  std::unique_ptr<git_repository, void (*)(git_repository*)> handle_{nullptr, nullptr};
  RunProcess run_;
  std::filesystem::path workdir_, git_dir_, common_dir_;
};

/// The version of the loaded libgit2: "1.5.1".
std::string libgit2_version();

/// As Repository::find, but throws UsageError with the nearest name for an unknown one.
Revision resolve(const Repository& repository, const std::string& expression);

/// The UsageError of an unknown name; `others`: candidates beside git's names.
UsageError unknown_name(const Repository& repository, const std::string& name,
                        const std::vector<std::string>& others = {});

/// The tracked files of the working tree that differ from HEAD or are staged; paths from the top,
/// sorted. Without files left out by a sparse checkout, submodules, and .perf-compare/. Untracked
/// files do not count, although snapshot() includes them: alone they are mostly reports, logs and
/// builds, and a new source file needs a change in a tracked one.
std::vector<std::string> uncommitted_files(const Repository& repository);

/// The working tree as a commit without a reference on top of HEAD: with modified and untracked
/// files and deletions, without ignored files and .perf-compare/, submodules and nested
/// repositories as in HEAD's index. The user's index, files and references are not changed; equal
/// trees on one HEAD give one id. A tree without changes gives HEAD itself, not dirty. As with
/// `git add`, the content passes the filters that the user has for all repositories (LFS, line
/// ends; settings.h). Throws UsageError where HEAD has no commit yet.
Revision snapshot(const Repository& repository);

}  // namespace perf

#pragma once

// The only file that includes git2.h: libgit2's handles with owners, its errors as ours.

#include <git2.h>

#include <filesystem>
#include <memory>
#include <string>

#include "collector/git/repository.h"

namespace perf {

template <auto free>
struct Freer {
  template <typename T>
  void operator()(T* handle) const {
    free(handle);
  }
};
template <typename T, auto free>
using Handle = std::unique_ptr<T, Freer<free>>;
using ObjectHandle = Handle<git_object, git_object_free>;
using CommitHandle = Handle<git_commit, git_commit_free>;
using TreeHandle = Handle<git_tree, git_tree_free>;
using ReferenceHandle = Handle<git_reference, git_reference_free>;
using RepositoryHandle = Handle<git_repository, git_repository_free>;

struct Repository::Impl {
  RepositoryHandle handle;
  RunProcess run;
  std::filesystem::path workdir, git_dir, common_dir;

  /// Throws Error where the commit is not there.
  CommitHandle commit(const std::string& oid) const;
  Error history_is_cut(const std::string& subject) const;
};

/// As Repository::fetch_command.
std::string fetch_command(git_repository* repository, Fetch what);

/// Starts libgit2 on the first call; it ends with the program.
void start_libgit2();

/// The reason of the last failure.
std::string libgit2_says();

/// Throws Error("WHAT: SUBJECT: reason") for a failure.
void check_git(int status, const std::string& what, const std::string& subject);

std::string hex(const git_oid& oid);
bool is_full_oid(const std::string& text);
/// Throws Error for anything but a full hexadecimal object id.
git_oid parse_oid(const std::string& text);

}  // namespace perf

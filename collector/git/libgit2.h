#pragma once

// The only file that includes git2.h: owners for libgit2's handles, and its errors as Error.

#include <git2.h>

#include <string>
#include <utility>

namespace perf {

/// The owner of a libgit2 handle.
template <typename T, auto free>
class Handle {
 public:
  Handle() = default;
  ~Handle() { free(handle_); }
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  T* get() const { return handle_; }
  /// For the call that creates the handle; to be used once.
  T** out() { return &handle_; }

 private:
  T* handle_ = nullptr;
};
using ObjectHandle = Handle<git_object, git_object_free>;
using CommitHandle = Handle<git_commit, git_commit_free>;
using TreeHandle = Handle<git_tree, git_tree_free>;
using EntryHandle = Handle<git_tree_entry, git_tree_entry_free>;
using ReferenceHandle = Handle<git_reference, git_reference_free>;
using RemoteHandle = Handle<git_remote, git_remote_free>;

/// Starts libgit2 on the first call; it ends with the program.
void start_libgit2();

/// The reason of the last failure.
std::string libgit2_error();

/// Throws Error("WHAT: SUBJECT: reason") for a failure.
void check_git(int status, const std::string& what, const std::string& subject);

std::string hex(const git_oid& oid);
bool is_full_oid(const std::string& text);
/// Throws Error for anything but a full hexadecimal object id.
git_oid parse_oid(const std::string& text);

}  // namespace perf

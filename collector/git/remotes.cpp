// The origin of a clone, and the command that fetches from it.

#include "collector/git/libgit2.h"
#include "collector/git/repository.h"
#include "collector/git/settings.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

struct RemoteNames : git_strarray {
  explicit RemoteNames(git_repository* repository) : git_strarray{nullptr, 0} {
    git_remote_list(this, repository);
  }
  ~RemoteNames() { git_strarray_dispose(this); }
  RemoteNames(const RemoteNames&) = delete;
  RemoteNames& operator=(const RemoteNames&) = delete;
};

/// As git fetch chooses it: the remote of the checked out branch, else the only one, else origin;
/// empty without a remote.
std::string remote_of(git_repository* repository) {
  ReferenceHandle head;
  git_buf name{};
  if (git_repository_head(head.out(), repository) == 0 &&
      git_branch_upstream_remote(&name, repository, git_reference_name(head.get())) == 0) {
    std::string upstream(name.ptr, name.size);
    git_buf_dispose(&name);
    if (upstream != ".") {  // the branch follows another one of this clone
      return upstream;
    }
  }
  const RemoteNames names(repository);
  for (std::size_t i = 0; i < names.count; ++i) {
    if (names.count == 1 || std::string(names.strings[i]) == "origin") {
      return names.strings[i];
    }
  }
  return names.count > 0 ? names.strings[0] : "";
}

/// Whether `git fetch` fetches all branches: not in a clone of a single branch.
bool brings_all_branches(git_repository* repository, const std::string& name) {
  RemoteHandle remote;
  if (git_remote_lookup(remote.out(), repository, name.c_str()) != 0) {
    return false;
  }
  for (std::size_t i = 0; i < git_remote_refspec_count(remote.get()); ++i) {
    const git_refspec* rule = git_remote_get_refspec(remote.get(), i);
    if (git_refspec_direction(rule) == GIT_DIRECTION_FETCH &&
        (std::string(git_refspec_src(rule)) == "refs/heads/*" ||
         std::string(git_refspec_src(rule)) == "refs/*")) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string Repository::fetch_command(Fetch what) const {
  const std::string remote = remote_name();
  std::string command = "git fetch";
  if (is_shallow()) {
    command += " --unshallow";
  }
  if (what == Fetch::names) {
    command += " --tags";
  }
  if (remote.empty()) {
    return is_shallow() ? "git remote add origin URL && " + command + " origin" : command;
  }
  const std::string shown = without_credentials(remote);  // a branch may follow a URL
  command += ' ' + shell_word(shown);
  if (what == Fetch::names && !brings_all_branches(handle_.get(), remote)) {
    command += ' ' + shell_word("+refs/heads/*:refs/remotes/" + shown + "/*");
  }
  return command;
}

std::string Repository::remote_name() const {
  return remote_of(handle_.get());
}

std::string Repository::remote_url() const {
  RemoteHandle remote;
  const int status = git_remote_lookup(remote.out(), handle_.get(), remote_name().c_str());
  return status == 0 && git_remote_url(remote.get()) != nullptr ? git_remote_url(remote.get()) : "";
}

Error Repository::history_is_cut(const std::string& subject) const {
  return Error("commit missing in this shallow clone", subject,
               "fetch the whole history: `" + fetch_command(Fetch::history) +
                   "` (`fetch-depth: 0` in actions/checkout)");
}

}  // namespace perf

// Finds and opens a repository.

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "collector/git/git_command.h"
#include "collector/git/libgit2.h"
#include "collector/git/repository.h"
#include "collector/git/settings.h"
#include "collector/process/captured_text.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

using RepositoryHandle = std::unique_ptr<git_repository, void (*)(git_repository*)>;

RepositoryHandle open_handle(const std::string& path, unsigned flags, int& status) {
  git_repository* opened = nullptr;
  // libgit2 does not read the variable itself.
  status =
      git_repository_open_ext(&opened, path.c_str(), flags, std::getenv("GIT_CEILING_DIRECTORIES"));
  return {opened, git_repository_free};
}

/// As open_handle, without checking the owner.
RepositoryHandle open_of_anybody(const std::string& path, unsigned flags, int& status) {
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  RepositoryHandle handle = open_handle(path, flags, status);
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
  return handle;
}

/// libgit2 1.5 also returns "not found", for the setting that would allow it.
bool belongs_to_another(int status) {
  return status == GIT_EOWNER ||
         (status == GIT_ENOTFOUND && libgit2_error().find("safe.directory") != std::string::npos);
}

/// git's message ends with the command that makes the repository safe.
std::string safe_directory_line(const std::string& git_says, const std::string& path) {
  const std::size_t begin = git_says.find("git config --global --add safe.directory");
  if (begin == std::string::npos) {
    return "git config --global --add safe.directory " + shell_word(path);
  }
  return to_one_line(git_says.substr(begin, git_says.find('\n', begin) - begin), 8192);
}

/// libgit2 1.5 does not know safe.directory=*, nor the variables that git reads it from, so git is
/// asked.
RepositoryHandle open_foreign(const std::string& path, const RunProcess& run, int& status) {
  const ProcessResult git = run_git(run, {{"rev-parse", "--git-dir"}, path});
  if (git.exit_code != 0) {
    throw Error("the repository belongs to another user", path,
                safe_directory_line(git.stderr_text, path));
  }
  return open_of_anybody(path, 0, status);
}

[[noreturn]] void cannot_open(int status, const std::string& path) {
  if (status == GIT_ENOTFOUND) {
    throw UsageError("no git repository", path, "run in a clone, or name one with -C DIR");
  }
  throw Error("cannot read the git repository", path + ": " + libgit2_error(),
              "check whether git can read it: git status");
}

/// A folder that looks like a repository may name another's working tree as its own; libgit2 and
/// git, which runs in that tree, would then use different repositories. A tree can contain such a
/// folder.
void require_one_repository(git_repository* found, const std::string& path) {
  const std::string workdir = git_repository_workdir(found);
  int status = 0;
  const RepositoryHandle there =  // only its path is read
      open_of_anybody(workdir, GIT_REPOSITORY_OPEN_NO_SEARCH, status);
  if (status < 0 && status != GIT_ENOTFOUND) {
    cannot_open(status, path);
  }
  if (status != 0 || std::string(git_repository_path(there.get())) != git_repository_path(found)) {
    throw UsageError("the repository has another working tree", path + ", which names " + workdir,
                     "run in the working tree, or name it with -C DIR");
  }
}

/// A setting of the repository; empty where it is not set.
std::string setting(git_repository* repository, const char* key) {
  Handle<git_config, git_config_free> config;
  const char* value = nullptr;
  const bool found = git_repository_config_snapshot(config.out(), repository) == 0 &&
                     git_config_get_string(&value, config.get(), key) == 0;
  return found ? value : "";
}

/// An unused path beside `place`.
std::string free_path(const std::filesystem::path& place, const std::string& ending) {
  std::string path = place.string() + ending;
  std::error_code ignored;
  while (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    path += ending.empty() ? "-tree" : ending;
  }
  return path;
}

// Errors of repositories that are not supported, each with a command (POSIX shell, full paths) that
// makes a supported one.

/// A bare repository in the folder `git_dir`.
UsageError refuse_bare(const std::string& git_dir) {
  std::filesystem::path folder = git_dir;
  if (!folder.has_filename()) {
    folder = folder.parent_path();
  }
  const std::string name = folder.filename().string();
  const bool hidden = name.empty() || name.front() == '.';
  const std::string tree =
      free_path(folder.parent_path() / (hidden ? std::string("tree") : folder.stem().string()), "");
  return UsageError("the repository is bare", folder.string(),
                    "add a working tree, and work there: git -C " + shell_word(folder.string()) +
                        " worktree add --detach " + shell_word(tree) + " HEAD && cd " +
                        shell_word(tree));
}

/// One with SHA-256 object ids, which libgit2 cannot read: the command makes a copy with SHA-1 ids
/// beside it, with the same commit checked out.
Error refuse_sha256(const std::string& path, const RunProcess& run) {
  const std::string top = git_line(run, {{"rev-parse", "--show-toplevel"}, path});
  const std::string here = top.empty() ? path : top;
  const std::string from = "git -C " + shell_word(here);
  const std::string copy = free_path(here, "-sha1");
  std::string branch = git_line(run, {{"symbolic-ref", "--short", "--quiet", "HEAD"}, path});
  std::string name_it;
  if (branch.empty()) {  // an export needs a name for a detached HEAD
    branch = "sha256-head";
    name_it = from + " branch --force " + branch + " HEAD && ";
  }
  return Error("git repositories with SHA-256 objects are not supported", here,
               "work in a copy with SHA-1 ids: " + name_it +
                   "git init --quiet --object-format=sha1 " + shell_word(copy) + " && " + from +
                   " fast-export --all --signed-tags=strip | git -C " + shell_word(copy) +
                   " fast-import --quiet && cd " + shell_word(copy) + " && git checkout --quiet " +
                   shell_word(branch));
}

/// One whose references are in another format (reftable).
Error refuse_ref_storage(const std::string& path, const std::string& format) {
  return Error("the repository keeps its references as " + format + ", which cannot be read", path,
               "convert them (git 2.46 or newer can): git -C " + shell_word(path) +
                   " refs migrate --ref-format=files");
}

/// libgit2 is set to open repositories whose objects and references may be in unsupported formats;
/// and an old git may not read the repository.
void require_known_format(git_repository* repository, const std::string& path,
                          const RunProcess& run) {
  const std::string objects = setting(repository, "extensions.objectformat");
  if (!objects.empty() && objects != "sha1") {
    throw refuse_sha256(path, run);
  }
  const std::string references = setting(repository, "extensions.refstorage");
  if (!references.empty() && references != "files") {
    throw refuse_ref_storage(path, references);
  }
  if (setting(repository, "core.repositoryformatversion") == "1") {
    const ProcessResult git = run_git(run, {{"rev-parse", "--git-dir"}, path});
    if (git.exit_code != 0) {
      throw Error("git cannot read the repository", path + ": " + to_one_line(git.stderr_text),
                  "install the git version that created it, or a newer one");
    }
  }
}

}  // namespace

Repository Repository::open(const std::filesystem::path& inside, RunProcess run) {
  start_libgit2();
  std::filesystem::path folder = std::filesystem::absolute(inside).lexically_normal();
  if (!folder.has_filename() && folder.has_relative_path()) {  // "." adds a slash at the end
    folder = folder.parent_path();
  }
  const std::string path = folder.string();
  int status = 0;
  RepositoryHandle handle = open_handle(path, 0, status);
  if (belongs_to_another(status)) {
    handle = open_foreign(path, run, status);
  }
  if (status < 0) {
    cannot_open(status, path);
  }
  require_known_format(handle.get(), path, run);
  if (git_repository_workdir(handle.get()) == nullptr) {
    throw refuse_bare(git_repository_path(handle.get()));
  }
  require_one_repository(handle.get(), path);
  Repository repository;
  repository.workdir_ = git_repository_workdir(handle.get());
  repository.git_dir_ = git_repository_path(handle.get());
  repository.common_dir_ = git_repository_commondir(handle.get());
  repository.handle_ = std::move(handle);
  repository.run_ = without_own_commands(std::move(run), repository.workdir_);
  return repository;
}

std::string Repository::user_name() const {
  return setting(handle_.get(), "user.name");
}

}  // namespace perf

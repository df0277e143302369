#include "collector/build/checkout_tree.h"

#include <sys/stat.h>

#include <system_error>

#include "collector/git/git_command.h"
#include "collector/git/settings.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/whole_file.h"
#include "schema/files/content.h"
#include "schema/revision.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// A line of objects/info/alternates, quoted where it is ambiguous (gitrepository-layout(5)).
std::string alternate_line(const std::string& folder) {
  if (folder.find_first_of("\n\"\\") == std::string::npos) {
    return folder;
  }
  std::string quoted = "\"";
  for (const char letter : folder) {
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
    }
    quoted += letter == '\n' ? "\\n" : std::string(1, letter);
  }
  return quoted + '"';
}

/// Lets a new repository borrow all objects of another and copies the end of a shallow history;
/// both by the folders of their objects. Throws Error where it cannot be written.
void borrow_objects(const fs::path& from, const fs::path& to) {
  const fs::path alternates = to / "objects" / "info" / "alternates";
  std::error_code error;
  fs::create_directories(alternates.parent_path(), error);
  const std::string line = alternate_line((from / "objects").string()) + '\n';
  if (const std::error_code failed =
          write_whole_file(alternates, alternates.string() + ".new", line, 0666)) {
    throw Error("cannot write to the build cache", alternates.string() + ": " + failed.message(),
                "free space on the disk");
  }
  // Only shallow clones have the file.
  error = copy_over(from / "shallow", to / "shallow");
  if (error && error != std::errc::no_such_file_or_directory) {
    throw Error(
        "cannot copy the list of missing objects to the build cache",
        (from / "shallow").string() + " to " + (to / "shallow").string() + ": " + error.message(),
        "check the disk and its free space");
  }
}

/// A clone made with --filter has not all files; git fetches them all at once when it writes out a
/// tree for that clone.
void fetch_missing_files(const Repository& repository, const std::string& oid,
                         const fs::path& log) {
  const ProcessResult promised =
      run_git(repository.process(),
              {{"config", "--get-regexp", "^remote\\..*\\.promisor$"}, repository.workdir()});
  if (promised.exit_code != 0) {
    return;
  }
  const TemporaryFolder folder;
  const fs::path tree = folder.path() / "tree";
  fs::create_directory(tree);
  const GitRequest write_out{{"-c", "core.sparseCheckout=false", "read-tree", "-m", "-u", oid},
                             tree,
                             {{"GIT_DIR", repository.git_dir().string()},
                              {"GIT_WORK_TREE", tree.string()},
                              {"GIT_INDEX_FILE", (folder.path() / "index").string()},
                              {"GIT_LFS_SKIP_SMUDGE", "1"}},  // this tree is not read
                             log};
  const std::string what = "cannot fetch the files of " + short_oid(oid);
  try {
    git_output(repository.process(), write_out, what);
  } catch (const Error& error) {
    const std::string remote = without_credentials(repository.remote_name());
    throw Error(what, error.subject,
                "this partial clone fetches missing files from " +
                    without_credentials(repository.remote_url()) +
                    "; if the remote has moved: git -C " +
                    shell_word(repository.workdir().string()) + " remote set-url " +
                    shell_word(remote) + " URL");
  }
}

/// Whether objects of a commit's tree are missing in the clone.
bool lacks_objects(const Repository& repository, const std::string& oid) {
  const ProcessResult objects = run_git(
      repository.process(),
      {{"rev-list", "--objects", "--no-walk", "--missing=print", oid, "--"}, repository.workdir()});
  return objects.exit_code != 0 || objects.stdout_text.find("\n?") != std::string::npos;
}

/// The command that fetches them: `git fetch` needs --refetch for objects that it expects to be
/// there.
std::string bring_objects(const Repository& repository, const std::string& oid) {
  const std::string remote = shell_word(without_credentials(repository.remote_name()));
  return "git -C " + shell_word(repository.workdir().string()) + " fetch " +
         (repository.is_shallow() ? "--unshallow " : "") +
         (repository.has_commit(oid) ? "--refetch " : "") +
         (repository.remote_name().empty() ? "URL" : remote) + " " + oid;
}

/// As in git; names of submodules may contain slashes.
constexpr int kDeepest = 16;

bool is_git_dir(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "HEAD", ignored) &&
         fs::is_directory(folder / "objects", ignored);
}

/// A setting of the repository in a folder; empty where it is not set.
std::string setting_in(const Repository& repository, const fs::path& git_dir,
                       const std::string& key) {
  return git_line(
      repository.process(),
      {{"config", "--file", (git_dir / "config").string(), "--get", key}, repository.workdir()});
}

/// The context of lending submodules to a checkout.
struct Lending {
  const Repository& repository;
  const fs::path& log;
  KeptCredentials& credentials;
};

/// Creates a repository without commits that borrows all objects of the user's clone of a
/// submodule, where `git submodule` would clone it.
void lend(const Lending& lending, const fs::path& own, const fs::path& lent) {
  const Repository& repository = lending.repository;
  const fs::path& log = lending.log;
  fs::create_directories(lent);
  const std::string what = "cannot prepare the submodule";
  git_output(repository.process(),
             {{"init", "--quiet", "--template=", "--object-format=sha1"},
              lent,
              {{"GIT_DIR", lent.string()}},
              log},
             what);
  const auto set = [&](const std::string& key, const std::string& value) {
    git_output(repository.process(),
               {{"config", "--file", (lent / "config").string(), key, value}, lent, {}, log}, what);
  };
  set("core.bare", "false");
  set("remote.origin.url",
      lending.credentials.take_from(setting_in(repository, own, "remote.origin.url")));
  set("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  borrow_objects(own, lent);
}

/// The user's clones of submodules, in .git/modules by name, recursively. Reads only what the user
/// has cloned, never names from a tree.
void lend_all(const Lending& lending, const fs::path& own, const fs::path& lent, int depth) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(own, none)) {
    if (!entry.is_directory() || entry.is_symlink()) {
      continue;
    }
    const fs::path name = entry.path().filename();
    if (!is_git_dir(entry.path())) {
      if (depth < kDeepest) {
        lend_all(lending, entry.path(), lent / name, depth + 1);
      }
      continue;
    }
    if (!setting_in(lending.repository, entry.path(), "extensions.partialclone").empty()) {
      continue;  // a partial clone: git clones it again
    }
    lend(lending, entry.path(), lent / name);
    if (depth < kDeepest) {
      lend_all(lending, entry.path() / "modules", lent / name / "modules", depth + 1);
    }
  }
}

}  // namespace

void check_out(const Repository& repository, const std::string& oid, const fs::path& tree,
               const fs::path& log) {
  const std::string what = "cannot check out " + short_oid(oid);
  fetch_missing_files(repository, oid, log);
  std::error_code error;
  fs::create_directory(tree, error);
  const GitRequest init{
      {"-c", "init.defaultBranch=main", "init", "--quiet", "--template=", "--object-format=sha1"},
      tree,
      {},
      log};
  git_output(repository.process(), init, what);
  borrow_objects(repository.common_dir(), tree / ".git");
  const GitRequest checkout{{"-c", "submodule.recurse=false", "-c", "advice.detachedHead=false",
                             "checkout", "--quiet", "--detach", "--force", oid},
                            tree,
                            {},
                            log};
  try {
    git_output(repository.process(), checkout, what);
  } catch (const Error& failed) {
    if (lacks_objects(repository, oid)) {
      throw Error(what, "this clone lacks objects of " + oid + " (" + failed.subject + ")",
                  bring_objects(repository, oid));
    }
    if (failed.subject.find("filter lfs failed") != std::string::npos) {
      throw Error(what, "this clone has pointers instead of git-lfs files (" + failed.subject + ")",
                  lfs_remedy(repository, oid) +
                      ", or set GIT_LFS_SKIP_SMUDGE=1 to measure with pointers instead");
    }
    throw Error(what, failed.subject, failed.hint);
  }
}

std::string tracked_changes(const Repository& repository, const fs::path& tree) {
  std::string changes;
  for (const std::string& path :
       git_paths(repository.process(),
                 {{"-c", "diff.autoRefreshIndex=true", "diff", "--name-only", "--no-ext-diff",
                   "--ignore-submodules=all", "--no-renames", "HEAD"},
                  tree},
                 "cannot compare the checkout with its commit")) {
    struct stat now {};
    changes += path;
    if (lstat((tree / path).c_str(), &now) == 0) {
      changes += ' ' + std::to_string(now.st_size) + ' ' + std::to_string(now.st_mtim.tv_sec) +
                 '.' + std::to_string(now.st_mtim.tv_nsec);
    }
    changes += '\n';
  }
  return changes;
}

void check_out_submodules(const Repository& repository, const fs::path& tree, const fs::path& log) {
  if (empty_submodules(repository, tree).empty()) {
    return;
  }
  const fs::path git_dir = tree / ".git";
  KeptCredentials credentials;
  const std::string remote = credentials.take_from(repository.remote_url());
  if (!remote.empty()) {  // relative URLs are relative to it
    git_output(repository.process(), {{"config", "remote.origin.url", remote}, tree, {}, log},
               "cannot prepare the submodules");
  }
  lend_all({repository, log, credentials}, repository.common_dir() / "modules", git_dir / "modules",
           0);
  GitRequest update{{"-c", "advice.detachedHead=false", "submodule", "--quiet", "update", "--init",
                     "--recursive", "--checkout", "--force", "--no-fetch"},
                    tree,
                    credentials.environment(),
                    log};
  if (run_git(repository.process(), update).exit_code == 0) {
    return;  // everything was lent
  }
  update.arguments.pop_back();
  try {
    // A submodule without the commit, as in a shallow clone, has no HEAD that git could start from.
    git_output(repository.process(),
               {{"submodule", "--quiet", "deinit", "--all", "--force"}, tree, {}, log},
               "cannot check out the submodules");
    git_output(repository.process(), update, "cannot check out the submodules");
  } catch (const Error& error) {
    const std::string in_clone = "git -C " + shell_word(repository.workdir().string());
    throw Error(error.what, error.subject,
                in_clone + " submodule update --init --recursive && " + in_clone +
                    " submodule foreach --recursive git fetch");
  }
}

std::vector<std::string> empty_submodules(const Repository& repository, const fs::path& tree) {
  std::vector<std::string> paths;
  for (const std::string& line : git_lines(repository.process(), {{"ls-files", "--stage"}, tree},
                                           "cannot list the checkout's files")) {
    const std::size_t tab = line.find('\t');
    if (!line.starts_with("160000 ") || tab == std::string::npos) {  // not a submodule
      continue;
    }
    const std::string path = unquote_path(std::string_view(line).substr(tab + 1));
    std::error_code error;
    if (fs::is_empty(tree / path, error) || error) {
      paths.push_back(path);
    }
  }
  return paths;
}

}  // namespace perf

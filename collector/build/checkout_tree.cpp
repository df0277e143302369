#include "collector/build/checkout_tree.h"

#include <sys/stat.h>

#include <sstream>

#include "collector/build/borrowed_objects.h"
#include "collector/build/lfs_pointers.h"
#include "collector/git/git_command.h"
#include "collector/git/own_filters.h"
#include "collector/git/without_credentials.h"
#include "collector/process/temporary_folder.h"
#include "schema/shell_words.h"

namespace perf {
namespace {

/// A clone made with --filter lacks files; git fetches them all at once when it writes a tree out
/// on that clone's behalf.
void fetch_missing_files(const Repository& repository, const std::string& oid,
                         const std::filesystem::path& log) {
  const ProcessResult promised =
      run_git(repository.process(),
              {{"config", "--get-regexp", "^remote\\..*\\.promisor$"}, repository.workdir()});
  if (promised.exit_code != 0) {
    return;
  }
  const TemporaryFolder folder;
  const std::filesystem::path tree = folder.path() / "tree";
  std::filesystem::create_directory(tree);
  GitRequest write_out{without_own_filters(repository),
                       tree,
                       {{"GIT_DIR", repository.git_dir().string()},
                        {"GIT_WORK_TREE", tree.string()},
                        {"GIT_INDEX_FILE", (folder.path() / "index").string()},
                        {"GIT_LFS_SKIP_SMUDGE", "1"}},  // nobody reads this tree
                       log};
  write_out.arguments.insert(write_out.arguments.end(),
                             {"-c", "core.sparseCheckout=false", "read-tree", "-m", "-u", oid});
  const std::string what = "cannot fetch the files of " + oid.substr(0, 12);
  try {
    git_output(repository.process(), write_out, what);
  } catch (const Error& error) {
    const std::string remote = without_credentials(repository.remote_name());
    throw Error(what, error.subject,
                "this clone is partial: what it lacks comes from " +
                    without_credentials(repository.remote_url()) + "; if that has moved: git -C " +
                    shell_word(repository.workdir().string()) + " remote set-url " +
                    shell_word(remote) + " URL");
  }
}

}  // namespace

void check_out(const Repository& repository, const std::string& oid,
               const std::filesystem::path& tree, const std::filesystem::path& log) {
  const std::string what = "cannot check out " + oid.substr(0, 12);
  fetch_missing_files(repository, oid, log);
  std::error_code error;
  std::filesystem::create_directory(tree, error);
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
    const bool lacks_lfs_file = failed.subject.find("filter lfs failed") != std::string::npos;
    throw Error(what, failed.subject, lacks_lfs_file ? lfs_remedy(repository, oid) : failed.hint);
  }
}

std::string tracked_changes(const Repository& repository, const std::filesystem::path& tree) {
  const std::string status =
      git_output(repository.process(),
                 {{"-c", "diff.autoRefreshIndex=true", "diff", "--name-only", "--no-ext-diff",
                   "--ignore-submodules=all", "--no-renames", "HEAD"},
                  tree},
                 "cannot compare the checkout with its commit");
  std::istringstream lines(status);
  std::string changes;
  for (std::string line; std::getline(lines, line);) {
    struct stat now {};
    const std::filesystem::path file = tree / unquote_path(line);
    changes += line;
    if (lstat(file.c_str(), &now) == 0) {
      changes += ' ' + std::to_string(now.st_size) + ' ' + std::to_string(now.st_mtim.tv_sec) +
                 '.' + std::to_string(now.st_mtim.tv_nsec);
    }
    changes += '\n';
  }
  return changes;
}

}  // namespace perf

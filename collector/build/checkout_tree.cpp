#include "collector/build/checkout_tree.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "collector/git/git_command.h"
#include "collector/process/temporary_folder.h"

namespace perf {
namespace {

void write_line(const std::filesystem::path& file, const std::string& line) {
  std::ofstream out(file, std::ios::binary);
  out << line << '\n';
  if (!out.flush()) {
    throw Error("cannot write to the build cache", file.string(), "is the disk full?");
  }
}

/// A line of objects/info/alternates is quoted where it could be misread (gitrepository-layout(5)).
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
  const GitRequest write_out{{"-c", "core.sparseCheckout=false", "read-tree", "-m", "-u", oid},
                             tree,
                             {{"GIT_DIR", repository.git_dir().string()},
                              {"GIT_WORK_TREE", tree.string()},
                              {"GIT_INDEX_FILE", (folder.path() / "index").string()}},
                             log};
  git_output(repository.process(), write_out, "cannot fetch the files of " + oid.substr(0, 12));
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
  const std::filesystem::path git_dir = tree / ".git";
  write_line(git_dir / "objects" / "info" / "alternates",
             alternate_line((repository.common_dir() / "objects").string()));
  if (repository.is_shallow()) {
    std::filesystem::copy_file(repository.common_dir() / "shallow", git_dir / "shallow", error);
  }
  const GitRequest checkout{{"-c", "submodule.recurse=false", "-c", "advice.detachedHead=false",
                             "checkout", "--quiet", "--detach", "--force", oid},
                            tree,
                            {},
                            log};
  git_output(repository.process(), checkout, what);
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

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "collector/git/git_command.h"
#include "collector/git/repository.h"
#include "collector/process/temporary_folder.h"
#include "schema/files/content.h"
#include "schema/revision.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr std::string_view kName = ".";  // as users write it
constexpr std::string_view kOwnFolder = ".perf-compare/";

/// The output of git status, by what it means for a snapshot.
struct Changes {
  std::vector<std::string> files;
  std::vector<std::string> repositories;  ///< changed submodules, nested repositories: left out
};

/// The path in a line of `git status --porcelain=v2`: after its ninth field (changed), its eleventh
/// (unmerged) or its first (untracked).
std::string path_in(const std::string& line) {
  const int fields = line[0] == '1' ? 8 : line[0] == 'u' ? 10 : 1;
  std::size_t at = 0;
  for (int i = 0; i < fields; ++i) {
    at = line.find(' ', at) + 1;
  }
  return unquote_path(std::string_view(line).substr(at));
}

/// Copies the index with its time: git considers a file unchanged when its size and time are those
/// in the index and the time is before the index's own ("racy git").
void copy_index(const std::filesystem::path& from, const std::filesystem::path& to) {
  struct stat status {};
  if (::stat(from.c_str(), &status) != 0) {
    return;  // no index yet: everything is untracked
  }
  const timespec times[] = {status.st_atim, status.st_mtim};
  if (copy_over(from, to) || utimensat(AT_FDCWD, to.c_str(), times, 0) != 0) {
    throw Error("cannot copy the index", from.string(), "free space for temporary files");
  }
}

/// The index, or a copy of it. In the copy, files of which git was told to ignore changes
/// (git update-index --assume-unchanged, --skip-worktree) are like all others. Files that a sparse
/// checkout left out stay so.
class Index {
 public:
  explicit Index(const Repository& repository) : repository_(repository) {
    std::vector<std::string> assumed, skipped;
    for (const std::string& line :
         git_lines(repository.process(), {{"ls-files", "-v"}, repository.workdir()},
                   "cannot list the files of the working tree")) {
      const char tag = line[0];
      std::string path = unquote_path(std::string_view(line).substr(2));
      std::error_code error;
      if (tag >= 'a' && tag <= 'z') {
        assumed.push_back(path);
      }
      if ((tag == 'S' || tag == 's') &&
          std::filesystem::symlink_status(repository.workdir() / path, error).type() !=
              std::filesystem::file_type::not_found) {
        skipped.push_back(std::move(path));
      }
    }
    unmark("--no-assume-unchanged", assumed);
    unmark("--no-skip-worktree", skipped);
  }

  /// For git's environment: where the copy is, once there is one.
  std::vector<std::pair<std::string, std::string>> environment() const {
    using Variables = std::vector<std::pair<std::string, std::string>>;
    return copy_ ? Variables{{"GIT_INDEX_FILE", place().string()}} : Variables();
  }

  /// For commands that write.
  void copy() {
    if (!copy_) {
      copy_.emplace();
      copy_index(repository_.git_dir() / "index", place());
    }
  }

 private:
  std::filesystem::path place() const { return copy_->path() / "index"; }

  void unmark(const std::string& option, const std::vector<std::string>& paths) {
    constexpr std::size_t kAtOnce = 500;  // the kernel limits the length of a command
    for (std::size_t i = 0; i < paths.size(); i += kAtOnce) {
      copy();
      GitRequest request{{"-c", "core.splitIndex=false", "update-index", option, "--"},
                         repository_.workdir()};
      request.arguments.insert(
          request.arguments.end(), paths.begin() + static_cast<std::ptrdiff_t>(i),
          paths.begin() + static_cast<std::ptrdiff_t>(std::min(i + kAtOnce, paths.size())));
      request.environment = environment();
      git_output(repository_.process(), request, "cannot read the index");
    }
  }

  const Repository& repository_;
  std::optional<TemporaryFolder> copy_{};
};

/// `untracked`: all or no; of submodules: whether changes within them are looked for.
Changes changes_in(const Repository& repository, const Index& index, const std::string& untracked) {
  GitRequest status{
      {"status", "--porcelain=v2", "--untracked-files=" + untracked,
       std::string("--ignore-submodules=") + (untracked == "all" ? "untracked" : "dirty"),
       "--no-renames"},
      repository.workdir()};
  status.environment = index.environment();
  Changes changes;
  for (const std::string& line :
       git_lines(repository.process(), status, "cannot compare the working tree with HEAD")) {
    if (line.empty() || (line[0] != '1' && line[0] != 'u' && line[0] != '?')) {
      continue;
    }
    std::string path = path_in(line);
    const bool submodule = line[0] != '?' && line.compare(5, 1, "S") == 0;
    if (submodule || path.back() == '/') {
      changes.repositories.push_back(std::move(path));
    } else if (!path.starts_with(kOwnFolder)) {
      changes.files.push_back(std::move(path));
    }
  }
  std::ranges::sort(changes.files);
  return changes;
}

/// The tree object of the working tree. `git add` supports what libgit2 does not: filters, sparse
/// indexes, files of a folder that has become a link.
std::string write_tree(const Repository& repository, Index& index, const Changes& changes) {
  index.copy();
  GitRequest add{{"-c", "core.safecrlf=false", "-c", "core.splitIndex=false", "add", "--all",
                  "--sparse", "--", "."},
                 repository.workdir()};
  add.environment = index.environment();
  add.arguments.emplace_back(":(exclude,top,literal).perf-compare");
  for (const std::string& path : changes.repositories) {
    add.arguments.push_back(":(exclude,top,literal)" + path);
  }
  git_output(repository.process(), add, "cannot take a snapshot of the working tree");
  // It writes the index as well, so that it checks files of the same time.
  GitRequest write{{"write-tree", "--missing-ok"}, repository.workdir()};
  write.environment = index.environment();
  const std::string tree =
      git_output(repository.process(), write, "cannot take a snapshot of the working tree");
  return first_line(tree);
}

/// ", without the changes in lib/x": of other repositories in the working tree.
std::string left_out(const Changes& changes) {
  return changes.repositories.empty()
             ? ""
             : ", without the changes in " + joined(changes.repositories, ", ");
}

}  // namespace

std::vector<std::string> uncommitted_files(const Repository& repository) {
  return changes_in(repository, Index(repository), "no").files;
}

Revision snapshot(const Repository& repository) {
  Revision head = resolve(repository, "HEAD");
  Index index(repository);
  const Changes changes = changes_in(repository, index, "all");
  const std::string tree =
      changes.files.empty() ? repository.tree_of(head.oid) : write_tree(repository, index, changes);
  if (tree == repository.tree_of(head.oid)) {
    head.name = std::string(kName);
    head.rule = "the working tree, which is HEAD's" + left_out(changes);
    return head;
  }
  Revision taken = repository.commit(repository.write_snapshot(tree, head.oid));
  taken.name = std::string(kName);
  taken.rule = "the working tree with its uncommitted changes, on top of HEAD " +
               short_oid(head.oid) + left_out(changes);
  taken.dirty = true;
  return taken;
}

}  // namespace perf

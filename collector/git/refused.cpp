#include "collector/git/refused.h"

#include <filesystem>

#include "collector/git/git_command.h"
#include "schema/shell_words.h"

namespace perf {
namespace {

/// A path that nothing has, beside `place`.
std::string free_path(const std::filesystem::path& place, const std::string& ending) {
  std::string path = place.string() + ending;
  std::error_code ignored;
  while (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    path += ending.empty() ? "-tree" : ending;
  }
  return path;
}

/// What git says on one line; empty where it fails.
std::string line_of(const RunProcess& run, const std::string& path,
                    const std::vector<std::string>& arguments) {
  const ProcessResult result = run_git(run, {arguments, path});
  return result.exit_code == 0 ? result.stdout_text.substr(0, result.stdout_text.find('\n')) : "";
}

}  // namespace

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

Error refuse_sha256(const std::string& path, const RunProcess& run) {
  const std::string top = line_of(run, path, {"rev-parse", "--show-toplevel"});
  const std::string here = top.empty() ? path : top;
  const std::string from = "git -C " + shell_word(here);
  const std::string copy = free_path(here, "-sha1");
  std::string branch = line_of(run, path, {"symbolic-ref", "--short", "--quiet", "HEAD"});
  std::string name_it;
  if (branch.empty()) {  // a detached HEAD has no name that an export could carry
    branch = "sha256-head";
    name_it = from + " branch --force " + branch + " HEAD && ";
  }
  return Error("git repositories with SHA-256 objects cannot be read", here,
               "work in a copy with SHA-1 ids: " + name_it +
                   "git init --quiet --object-format=sha1 " + shell_word(copy) + " && " + from +
                   " fast-export --all --signed-tags=strip | git -C " + shell_word(copy) +
                   " fast-import --quiet && cd " + shell_word(copy) + " && git checkout --quiet " +
                   shell_word(branch));
}

Error refuse_ref_storage(const std::string& path, const std::string& format) {
  return Error("the repository keeps its references as " + format + ", which cannot be read", path,
               "convert them (git 2.46 or newer can): git -C " + shell_word(path) +
                   " refs migrate --ref-format=files");
}

}  // namespace perf

#include "collector/build/submodules.h"

#include <sstream>

#include "collector/build/borrowed_objects.h"
#include "collector/git/git_command.h"
#include "collector/git/kept_credentials.h"
#include "schema/shell_words.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// git's own, for the names of submodules may have slashes.
constexpr int kDeepest = 16;

bool is_git_dir(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "HEAD", ignored) &&
         fs::is_directory(folder / "objects", ignored);
}

/// A setting of a repository by its folder; empty where it has none.
std::string setting(const Repository& repository, const fs::path& git_dir, const std::string& key) {
  const ProcessResult result = run_git(
      repository.process(),
      {{"config", "--file", (git_dir / "config").string(), "--get", key}, repository.workdir()});
  return result.exit_code == 0 ? result.stdout_text.substr(0, result.stdout_text.find('\n')) : "";
}

/// What all lending for a checkout has in common.
struct Lending {
  const Repository& repository;
  const fs::path& log;
  KeptCredentials& credentials;
};

/// A repository without a commit that borrows all objects of the user's clone of a submodule, for
/// `git submodule` to find where it would have cloned one.
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
      lending.credentials.take_from(setting(repository, own, "remote.origin.url")));
  set("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  borrow_objects(own, lent);
}

/// The user's clones of submodules, which are folders of these names in .git/modules, theirs in
/// their own. Only what the user has cloned is gone through, never what a tree says.
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
    if (!setting(lending.repository, entry.path(), "extensions.partialclone").empty()) {
      continue;  // it lacks files, which git clones again
    }
    lend(lending, entry.path(), lent / name);
    if (depth < kDeepest) {
      lend_all(lending, entry.path() / "modules", lent / name / "modules", depth + 1);
    }
  }
}

}  // namespace

void check_out_submodules(const Repository& repository, const fs::path& tree, const fs::path& log) {
  if (empty_submodules(repository, tree).empty()) {
    return;
  }
  const fs::path git_dir = tree / ".git";
  KeptCredentials credentials;
  const std::string remote = credentials.take_from(repository.remote_url());
  if (!remote.empty()) {  // relative addresses are relative to it
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
    return;  // all was lent
  }
  update.arguments.pop_back();
  try {
    // What was found without the commit, as in a shallow clone, has no HEAD for git to go on from.
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
  std::istringstream entries(git_output(repository.process(), {{"ls-files", "--stage"}, tree},
                                        "cannot list the checkout's files"));
  constexpr std::string_view kSubmodule = "160000 ";
  for (std::string line; std::getline(entries, line);) {
    const std::size_t tab = line.find('\t');
    if (line.compare(0, kSubmodule.size(), kSubmodule) != 0 || tab == std::string::npos) {
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

#include <fstream>
#include <set>
#include <utility>

#include "collector/build/checkout_tree.h"
#include "collector/git/git_command.h"
#include "collector/process/captured_text.h"
#include "collector/this_process.h"
#include "schema/text/lists.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

/// The first line and the largest size of a pointer.
constexpr std::string_view kFirstLine = "version https://git-lfs.github.com/spec/v1\n";
constexpr std::size_t kLargestPointer = 1024;  // B

bool is_pointer(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, error)) ||
      std::filesystem::file_size(file, error) > kLargestPointer || error) {
    return false;
  }
  std::string begin(kFirstLine.size(), '\0');
  std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<long>(begin.size()));
  return begin == kFirstLine;
}

/// The path from the top of `tree` that a word of a message names; empty for none.
std::filesystem::path path_below(const std::filesystem::path& tree, std::string_view word) {
  while (word.ends_with('.')) {  // of a sentence
    word.remove_suffix(1);
  }
  std::filesystem::path path = std::filesystem::path(word).lexically_normal();
  if (path.is_absolute()) {
    path = path.lexically_relative(tree);
  }
  return path.empty() || *path.begin() == "." || *path.begin() == ".." ? std::filesystem::path()
                                                                       : path;
}

/// Whether the file is in a repository below this one: git cannot add it here.
bool is_in_another_repository(const std::filesystem::path& top, const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::path folder = top;
  for (const std::filesystem::path& part : file) {
    folder /= part;
    if (std::filesystem::exists(folder / ".git", error)) {
      return true;
    }
  }
  return false;
}

/// As git-lfs interprets it.
bool is_told_to_skip() {
  const std::string said = environment_variable("GIT_LFS_SKIP_SMUDGE").value_or("");
  return !said.empty() && said != "0" && said != "false" && said != "no" && said != "off";
}

std::string listed(const std::vector<std::string>& paths) {
  return some_of(mapped(paths, [](const std::string& path) { return to_one_line(path); }), 2);
}

}  // namespace

std::vector<std::string> lfs_pointers(const Repository& repository,
                                      const std::filesystem::path& tree) {
  std::vector<std::string> paths =
      git_paths(repository.process(), {{"ls-files", "--", ":(attr:filter=lfs)"}, tree},
                "cannot list the checkout's files");
  std::erase_if(paths, [&](const std::string& path) { return !is_pointer(tree / path); });
  return paths;
}

bool brings_lfs_files(const Repository& repository) {
  const auto set_for_all = [&](const char* key) {
    return git_line(repository.process(), {{"config", "--get", key}, "/"});
  };
  const std::string process = set_for_all("filter.lfs.process");
  const std::string filter = process.empty() ? set_for_all("filter.lfs.smudge") : process;
  return !filter.empty() && filter.find("--skip") == std::string::npos && !is_told_to_skip();
}

std::string lfs_remedy(const Repository& repository, const std::string& oid) {
  std::string fetch =
      "git -C " + shell_word(repository.workdir().string()) + " lfs fetch origin " + oid;
  if (brings_lfs_files(repository)) {
    return fetch;
  }
  return (is_told_to_skip() ? "unset GIT_LFS_SKIP_SMUDGE && " : "") +
         std::string("git lfs install && ") + fetch;
}

std::string remedy_of_tree(const Repository& repository, const std::string& oid,
                           const std::filesystem::path& tree) {
  const std::vector<std::string> submodules = empty_submodules(repository, tree);
  if (!submodules.empty()) {
    return "its submodules are empty (" + listed(submodules) +
           "): add \"submodules\": true to \"build\" in its perf-compare.json";
  }
  const std::vector<std::string> pointers = lfs_pointers(repository, tree);
  return pointers.empty() ? ""
                          : "it has LFS pointers instead of files (" + listed(pointers) +
                                "): " + lfs_remedy(repository, oid);
}

std::string FilesNotInGit::listed() const {
  return perf::listed(paths);
}

FilesNotInGit files_not_in_git(const Repository& repository, const std::filesystem::path& tree,
                               std::string_view text, const std::filesystem::path& folder) {
  constexpr std::string_view kAround = " \t\r\n'\"`:;,()[]{}<>=|&";
  const std::filesystem::path& here = repository.workdir();
  std::set<std::string> named;
  std::error_code error;
  for (std::string_view word = take_word(text, kAround); !word.empty();
       word = take_word(text, kAround)) {
    const std::filesystem::path path = path_below(tree, word);
    for (const std::filesystem::path& file : {path, (folder / path).lexically_normal()}) {
      if (!path.empty() && std::filesystem::exists(here / file, error) &&
          !std::filesystem::exists(tree / file, error) && !is_in_another_repository(here, file)) {
        named.insert(file.string());
      }
    }
  }
  FilesNotInGit found;
  const auto answers = [&](std::vector<std::string> arguments, const std::string& path) {
    arguments.insert(arguments.end(), {"--", path});
    return !git_line(repository.process(), {arguments, here}).empty();
  };
  for (const std::string& path : named) {
    const bool is_ignored = answers({"check-ignore"}, path);
    if (is_ignored || (!found.ignored && !answers({"--literal-pathspecs", "ls-files"}, path))) {
      if (is_ignored && !std::exchange(found.ignored, true)) {
        found.paths.clear();
      }
      found.paths.push_back(path);
    }
  }
  return found;
}

std::vector<Warning> warnings_of_tree(const Repository& repository, const std::string& name,
                                      const std::string& oid, const std::filesystem::path& tree) {
  const std::vector<std::string> pointers = lfs_pointers(repository, tree);
  if (pointers.empty()) {
    return {};
  }
  return {
      {WarningKind::lfs_pointers,
       {},
       {{"revision", name}, {"files", listed(pointers)}, {"remedy", lfs_remedy(repository, oid)}}}};
}

}  // namespace perf

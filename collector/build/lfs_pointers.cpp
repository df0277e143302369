#include "collector/build/lfs_pointers.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "collector/git/git_command.h"
#include "schema/shell_words.h"

namespace perf {
namespace {

/// Every pointer begins so, and is no larger than that.
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

/// What the user has set for all repositories; empty where nothing is.
std::string set_for_all(const Repository& repository, const std::string& key) {
  const ProcessResult result = run_git(repository.process(), {{"config", "--get", key}, "/"});
  return result.exit_code == 0 ? result.stdout_text : "";
}

/// As git-lfs reads it.
bool is_told_to_skip() {
  const char* value = std::getenv("GIT_LFS_SKIP_SMUDGE");
  const std::string said = value != nullptr ? value : "";
  return !said.empty() && said != "0" && said != "false" && said != "no" && said != "off";
}

}  // namespace

std::vector<std::string> lfs_pointers(const Repository& repository,
                                      const std::filesystem::path& tree) {
  std::istringstream files(git_output(repository.process(),
                                      {{"ls-files", "--", ":(attr:filter=lfs)"}, tree},
                                      "cannot list the checkout's files"));
  std::vector<std::string> pointers;
  for (std::string line; std::getline(files, line);) {
    std::string path = unquote_path(line);
    if (is_pointer(tree / path)) {
      pointers.push_back(std::move(path));
    }
  }
  return pointers;
}

bool brings_lfs_files(const Repository& repository) {
  const std::string process = set_for_all(repository, "filter.lfs.process");
  const std::string filter =
      process.empty() ? set_for_all(repository, "filter.lfs.smudge") : process;
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

}  // namespace perf

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/process/process.h"

namespace perf {

/// One run of the git command.
struct GitRequest {
  /// What follows `git`. Revisions are full object ids, never what a user wrote.
  std::vector<std::string> arguments;
  std::filesystem::path directory;
  /// Set on top of clean_git_environment().
  std::vector<std::pair<std::string, std::string>> environment{};
  std::filesystem::path log{};  ///< what git says is appended, as ProcessResult has it, at its end
};

/// What unsets, in a child's environment, everything by which a caller's git (a hook, an alias, a
/// rebase) redirects repositories, indexes and objects, and keeps git from prompting or writing
/// to a repository it only reads. For the git command and for builds, which may call git.
std::vector<std::pair<std::string, std::string>> clean_git_environment();

/// Settings as git finds them in its environment, after those that the user's own has.
std::vector<std::pair<std::string, std::string>> as_environment(
    const std::vector<std::pair<std::string, std::string>>& settings);

/// Runs git to its end with hooks and the file-system monitor off, and messages untranslated.
/// What it writes to standard error, and to the log, is without the credentials of URLs. Throws
/// Error when git cannot be started; a failing git is in the result.
ProcessResult run_git(const RunProcess& run, const GitRequest& request);

/// Runs git and gives what it wrote to standard output. Throws Error ("WHAT": git's last words)
/// when it does not end with 0 or says more than can be kept.
std::string git_output(const RunProcess& run, const GitRequest& request, const std::string& what);

/// The first line that git writes; empty where it fails, or writes none.
std::string git_line(const RunProcess& run, const GitRequest& request);

/// Undoes git's quoting of a path ("a\tb" with octal bytes, in double quotes); paths that are not
/// quoted are as they are.
std::string unquote_path(std::string_view text);

}  // namespace perf

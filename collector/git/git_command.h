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
  /// The arguments of git. Revisions are full object ids, never what a user wrote.
  std::vector<std::string> arguments;
  std::filesystem::path directory;
  /// Set on top of clean_git_environment().
  std::vector<std::pair<std::string, std::string>> environment{};
  std::filesystem::path log{};  ///< git's output is appended when it has ended
};

/// Variables for a child's environment that undo redirections of repositories, indexes and objects
/// by a calling git (a hook, an alias, a rebase), and keep git from prompting and from writing to a
/// repository that it only reads. For git, and for builds, which may call git.
std::vector<std::pair<std::string, std::string>> clean_git_environment();

/// Settings as variables for git's environment, after those of the user's environment.
std::vector<std::pair<std::string, std::string>> as_environment(
    const std::vector<std::pair<std::string, std::string>>& settings);

/// The place of git's command (`status`) among words, behind settings (`-c name=value`) that begin
/// at `begin`.
std::size_t place_of_command(const std::vector<std::string>& words, std::size_t begin);

/// Runs git with hooks and the file-system monitor off and untranslated messages. Removes the
/// credentials of URLs from its standard error and from the log. Throws Error where git cannot be
/// started; a failure is in the result.
ProcessResult run_git(const RunProcess& run, const GitRequest& request);

/// Runs git and returns its standard output. Throws Error (WHAT: git's last line) where git fails
/// or its output is too long.
std::string git_output(const RunProcess& run, const GitRequest& request, const std::string& what);

/// The lines of that output; and the paths that they are, without git's quoting.
std::vector<std::string> git_lines(const RunProcess& run, const GitRequest& request,
                                   const std::string& what);
std::vector<std::string> git_paths(const RunProcess& run, const GitRequest& request,
                                   const std::string& what);

/// The first line of git's output; empty where git fails.
std::string git_line(const RunProcess& run, const GitRequest& request);

/// Undoes git's quoting of a path ("a\tb" with octal bytes, in double quotes); other paths are
/// unchanged.
std::string unquote_path(std::string_view text);

}  // namespace perf

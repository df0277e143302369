#include "collector/git/git_command.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "collector/git/settings.h"
#include "collector/process/capture.h"
#include "collector/process/captured_text.h"
#include "collector/this_process.h"
#include "schema/error.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// The largest output of git: lists of files and commits of large repositories.
constexpr std::size_t kGitOutputLimit = 32u << 20;  // B
/// The end of its messages that is kept.
constexpr std::size_t kMessageLimit = 1u << 20;  // B
/// Enough for reading commands on any repository that can be measured.
constexpr double kGitTimeout = 1800;  // s

/// `git rev-parse --local-env-vars`, and other variables that redirect git. The user's settings
/// (GIT_CONFIG_GLOBAL, GIT_CONFIG_COUNT, GIT_SSH_COMMAND, ...) stay.
constexpr std::array kRedirections{"GIT_DIR",
                                   "GIT_WORK_TREE",
                                   "GIT_INDEX_FILE",
                                   "GIT_COMMON_DIR",
                                   "GIT_PREFIX",
                                   "GIT_OBJECT_DIRECTORY",
                                   "GIT_NAMESPACE",
                                   "GIT_GRAFT_FILE",
                                   "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                   "GIT_SHALLOW_FILE",
                                   "GIT_TEMPLATE_DIR",
                                   "GIT_IMPLICIT_WORK_TREE",
                                   "GIT_CONFIG",
                                   "GIT_QUARANTINE_PATH",
                                   "GIT_REPLACE_REF_BASE",
                                   "GIT_EXTERNAL_DIFF",
                                   "GIT_CEILING_DIRECTORIES",
                                   "GIT_INTERNAL_SUPER_PREFIX",
                                   "GIT_LITERAL_PATHSPECS",
                                   "GIT_GLOB_PATHSPECS",
                                   "GIT_NOGLOB_PATHSPECS",
                                   "GIT_ICASE_PATHSPECS"};

char unescaped(char letter) {
  constexpr std::string_view kLetters = "abtnvfr";
  constexpr std::string_view kBytes = "\a\b\t\n\v\f\r";
  const std::size_t at = kLetters.find(letter);
  return at == std::string_view::npos ? letter : kBytes[at];
}

/// "git status", without settings ahead of the command.
std::string name_of(const GitRequest& request) {
  return "git " + request.arguments[place_of_command(request.arguments, 0)];
}

/// git's messages without credentials. A truncated text may begin within a URL.
std::string clean_messages(const std::string& text) {
  const bool is_cut = text.size() >= kMessageLimit;
  return without_credentials(is_cut ? text.substr(std::min(text.find('\n'), text.size())) : text);
}

}  // namespace

std::size_t place_of_command(const std::vector<std::string>& words, std::size_t begin) {
  std::size_t at = begin;
  while (at + 2 < words.size() && words[at] == "-c") {
    at += 2;
  }
  return at;
}

std::vector<std::pair<std::string, std::string>> clean_git_environment() {
  std::vector<std::pair<std::string, std::string>> environment = mapped(
      kRedirections, [](const char* name) { return std::pair(std::string(name), std::string()); });
  environment.emplace_back("GIT_TERMINAL_PROMPT", "0");
  environment.emplace_back("GIT_OPTIONAL_LOCKS", "0");
  return environment;
}

std::vector<std::pair<std::string, std::string>> as_environment(
    const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<std::pair<std::string, std::string>> variables;
  int count = std::max(std::atoi(environment_variable("GIT_CONFIG_COUNT").value_or("").c_str()), 0);
  for (const auto& [key, value] : settings) {
    const std::string number = std::to_string(count++);
    variables.emplace_back("GIT_CONFIG_KEY_" + number, key);
    variables.emplace_back("GIT_CONFIG_VALUE_" + number, value);
  }
  if (!settings.empty()) {
    variables.emplace_back("GIT_CONFIG_COUNT", std::to_string(count));
  }
  return variables;
}

ProcessResult run_git(const RunProcess& run, const GitRequest& request) {
  ProcessRequest process;
  process.command = {"git",
                     "-c",
                     "core.hooksPath=/dev/null",
                     "-c",
                     "core.fsmonitor=false",
                     "-c",
                     "core.quotePath=true"};
  process.command.insert(process.command.end(), request.arguments.begin(), request.arguments.end());
  process.directory = request.directory;
  process.environment = clean_git_environment();
  process.environment.emplace_back("LC_ALL", "C");
  process.environment.insert(process.environment.end(), request.environment.begin(),
                             request.environment.end());
  process.timeout = kGitTimeout;
  process.stdout_limit = kGitOutputLimit;
  process.stderr_limit = kMessageLimit;
  OutputLog log(request.log);  // written here, because git does not remove all credentials
  ProcessResult result = run(process);
  if (!result.spawn_error.empty()) {
    throw Error("cannot start git", result.spawn_error, "install git or add it to PATH");
  }
  result.stderr_text = clean_messages(result.stderr_text);
  if (!request.log.empty()) {
    const std::string said = without_credentials(result.stdout_text) + result.stderr_text;
    log.append(said.data(), said.size());
  }
  return result;
}

std::string git_output(const RunProcess& run, const GitRequest& request, const std::string& what) {
  ProcessResult result = run_git(run, request);
  if (result.timed_out || result.exit_code != 0) {
    const std::string words = last_line(result.stderr_text);
    throw Error(what, words.empty() ? name_of(request) + " failed" : words);
  }
  if (result.stdout_text.size() >= kGitOutputLimit) {
    throw Error(what, name_of(request) + " lists too many files",
                "add generated files to .gitignore");
  }
  return std::move(result.stdout_text);
}

std::vector<std::string> git_lines(const RunProcess& run, const GitRequest& request,
                                   const std::string& what) {
  const std::string output = git_output(run, request, what);
  std::vector<std::string> lines;
  for (std::string_view left = output; !left.empty();) {
    lines.emplace_back(take_line(left));
  }
  return lines;
}

std::vector<std::string> git_paths(const RunProcess& run, const GitRequest& request,
                                   const std::string& what) {
  return mapped(git_lines(run, request, what), unquote_path);
}

std::string git_line(const RunProcess& run, const GitRequest& request) {
  const ProcessResult result = run_git(run, request);
  return result.exit_code == 0 ? first_line(result.stdout_text) : "";
}

std::string unquote_path(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
    return std::string(text);
  }
  text = text.substr(1, text.size() - 2);
  std::string path;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      path += text[at];
    } else if (text[at + 1] >= '0' && text[at + 1] <= '3') {
      path += static_cast<char>(parsed<unsigned>(text.substr(at + 1, 3), 8).value_or('?'));
      at += 3;
    } else {
      path += unescaped(text[++at]);
    }
  }
  return path;
}

}  // namespace perf

#include "collector/git/settings.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "collector/git/git_command.h"
#include "schema/error.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr std::string_view kMark = "://";
constexpr std::string_view kSchemeLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-";

/// Whether a text ends with a scheme of ssh (ssh, git+ssh), whose user names are not secret; with
/// http the name may be a token.
bool ends_with_ssh(std::string_view text) {
  const std::size_t other = text.find_last_not_of(kSchemeLetters);
  return lower(text.substr(other == std::string_view::npos ? 0 : other + 1)).find("ssh") !=
         std::string::npos;
}

/// "https://host/" of a URL of that host.
std::string root_of(const std::string& url) {
  return url.substr(0, url.find('/', url.find("://") + 3)) + '/';
}

constexpr std::string_view kSection = "filter.";
constexpr int kNone = 1;  // the exit status of git config without a match

/// The settings (clean, smudge, ...) of each filter in the clone's own config.
std::map<std::string, std::set<std::string>> own_filters(const Repository& repository) {
  const GitRequest list{{"config", "--show-scope", "--name-only", "--get-regexp", "^filter\\."},
                        repository.workdir()};
  const ProcessResult result = run_git(repository.process(), list);
  std::map<std::string, std::set<std::string>> filters;
  if (result.exit_code != 0 && result.exit_code != kNone) {
    throw Error("git cannot list its filters", repository.workdir().string());
  }
  std::istringstream lines(result.stdout_text);
  for (std::string scope, key; std::getline(lines, scope, '\t') && std::getline(lines, key);) {
    const std::size_t dot = key.rfind('.');
    if ((scope == "local" || scope == "worktree") && dot > kSection.size()) {
      filters[key.substr(kSection.size(), dot - kSection.size())].insert(key.substr(dot + 1));
    }
  }
  return filters;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kNull = "\uFFFD";  ///< a zero byte in captured output
constexpr std::array<std::string_view, 4> kScopes{"system", "global", "local", "worktree"};
constexpr std::array<std::string_view, 6> kGroups{"url.",      "http.", "credential.",
                                                  "protocol.", "ssh.",  "push.pushoption"};
constexpr std::array<std::string_view, 3> kOfCore{"core.sshcommand", "core.gitproxy",
                                                  "core.askpass"};
constexpr std::array<std::string_view, 7> kOfRemotes{
    ".url", ".pushurl", ".proxy", ".proxyauthmethod", ".uploadpack", ".receivepack", ".vcs"};

bool is_of_reaching(const std::string& key) {
  const auto begins = [&key](std::string_view group) { return key.starts_with(group); };
  const auto ends = [&key](std::string_view ending) { return key.ends_with(ending); };
  return std::ranges::any_of(kGroups, begins) || std::ranges::find(kOfCore, key) != kOfCore.end() ||
         (key.starts_with("remote.") && std::ranges::any_of(kOfRemotes, ends));
}

/// "KEY\nVALUE", as git lists them; no value means true.
void add_if_of_reaching(const std::string& setting, Settings& settings) {
  const std::size_t line = setting.find('\n');
  const std::string key = setting.substr(0, line);
  if (is_of_reaching(key)) {
    settings.emplace_back(key, line == std::string::npos ? "true" : setting.substr(line + 1));
  }
}

/// The settings in files, in order; git reads those of the environment itself.
Settings settings_of(const Repository& repository, const std::string& git_dir) {
  GitRequest list{{"config", "--list", "--null", "--show-scope", "--includes"},
                  repository.workdir()};
  if (!git_dir.empty()) {
    list.environment.emplace_back("GIT_DIR", git_dir);
  }
  const std::string text =
      git_output(repository.process(), list, "the settings of git cannot be read");
  Settings settings;
  std::string scope;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(kNull, at), text.size());
    const std::string part = text.substr(at, end - at);
    at = end + kNull.size();
    if (std::ranges::find(kScopes, scope) != kScopes.end()) {
      add_if_of_reaching(part, settings);
      scope.clear();
    } else {
      scope = part;
    }
  }
  return settings;
}

}  // namespace

std::string without_credentials(std::string_view text) {
  std::string clean;
  for (std::size_t mark = text.find(kMark); mark != std::string_view::npos;
       mark = text.find(kMark)) {
    const std::size_t begin = mark + kMark.size();
    const std::string_view rest = text.substr(begin);
    // As curl reads it: a password may contain an @.
    const std::size_t at = rest.substr(0, rest.find_first_of("/?# \t\r\n\v\f")).rfind('@');
    clean += text.substr(0, begin);
    if (at == std::string_view::npos) {
      text = rest;
      continue;
    }
    const std::string_view name = rest.substr(0, std::min(rest.find(':'), at));
    if (!name.empty() && ends_with_ssh(text.substr(0, mark))) {
      clean.append(name) += '@';
    }
    text = rest.substr(at + 1);
  }
  return clean.append(text);
}

std::string KeptCredentials::take_from(const std::string& url) {
  std::string clean = without_credentials(url);
  if (clean != url) {
    const std::string root = root_of(clean);
    if (clean.starts_with(
            root)) {  // not only "https://host", with which https://host.example begins
      keep(url, clean);
    }
    keep(root_of(url), root);
  }
  return clean;
}

void KeptCredentials::keep(const std::string& with, const std::string& without) {
  const bool is_kept =
      std::ranges::any_of(rules_, [&](const auto& rule) { return rule.first == without; });
  if (!is_kept) {
    rules_.emplace_back(without, with);
  }
}

std::vector<std::pair<std::string, std::string>> KeptCredentials::environment() const {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const auto& [without, with] : rules_) {
    settings.emplace_back("url." + with + ".insteadOf", without);
  }
  return as_environment(settings);
}

std::vector<std::string> without_own_filters(const Repository& repository) {
  std::vector<std::string> arguments;
  for (auto& [name, settings] : own_filters(repository)) {
    if (name == "lfs") {
      continue;
    }
    if (name.find('=') != std::string::npos) {  // `git -c` would split the name
      throw Error("cannot switch off a filter of the clone's own config", name,
                  "give it a name without =, or configure it for all repositories");
    }
    settings.insert("required");  // such a filter would fail without a command
    for (const std::string& setting : settings) {
      const std::string key = std::string(kSection) + name + "." + setting;
      const std::string value = git_line(repository.process(), {{"config", "--get", key}, "/"});
      const bool is_off = setting == "required" && value.empty();
      std::string assignment = key + "=";
      assignment += is_off ? "false" : value;
      arguments.insert(arguments.end(), {"-c", assignment});
    }
  }
  return arguments;
}

Settings remote_settings(const Repository& repository, const std::filesystem::path& other) {
  Settings settings = settings_of(repository, "");
  for (const auto& there : settings_of(repository, other.string())) {
    if (const auto found = std::ranges::find(settings, there); found != settings.end()) {
      settings.erase(found);
    }
  }
  return as_environment(settings);
}

}  // namespace perf

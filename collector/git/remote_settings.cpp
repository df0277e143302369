#include <algorithm>
#include <array>
#include <string_view>

#include "collector/git/git_command.h"
#include "collector/git/settings.h"

namespace perf {
namespace {

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

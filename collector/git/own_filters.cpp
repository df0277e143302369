#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "collector/git/git_command.h"
#include "collector/git/settings.h"
#include "schema/error.h"

namespace perf {
namespace {

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

}  // namespace

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

}  // namespace perf

#include "collector/git/kept_credentials.h"

#include <algorithm>
#include <cstdlib>

#include "collector/git/without_credentials.h"

namespace perf {
namespace {

/// "https://host/" of a URL of that host.
std::string root_of(const std::string& url) {
  return url.substr(0, url.find('/', url.find("://") + 3)) + '/';
}

/// How many settings the environment of this process gives git.
int users_own() {
  const char* count = std::getenv("GIT_CONFIG_COUNT");
  return count != nullptr ? std::max(std::atoi(count), 0) : 0;
}

}  // namespace

std::string KeptCredentials::take_from(const std::string& url) {
  std::string clean = without_credentials(url);
  if (clean != url) {
    const std::string root = root_of(clean);
    if (clean.rfind(root, 0) == 0) {  // else "https://host", as https://host.example begins, too
      keep(url, clean);
    }
    keep(root_of(url), root);
  }
  return clean;
}

void KeptCredentials::keep(const std::string& with, const std::string& without) {
  const bool is_kept = std::any_of(rules_.begin(), rules_.end(),
                                   [&](const auto& rule) { return rule.first == without; });
  if (!is_kept) {
    rules_.emplace_back(without, with);
  }
}

std::vector<std::pair<std::string, std::string>> KeptCredentials::environment() const {
  std::vector<std::pair<std::string, std::string>> variables;
  int count = users_own();
  for (const auto& [without, with] : rules_) {
    const std::string number = std::to_string(count++);
    variables.emplace_back("GIT_CONFIG_KEY_" + number, "url." + with + ".insteadOf");
    variables.emplace_back("GIT_CONFIG_VALUE_" + number, without);
  }
  if (!rules_.empty()) {
    variables.emplace_back("GIT_CONFIG_COUNT", std::to_string(count));
  }
  return variables;
}

}  // namespace perf

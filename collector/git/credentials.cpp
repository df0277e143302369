#include <algorithm>

#include "collector/git/git_command.h"
#include "collector/git/settings.h"
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

}  // namespace perf

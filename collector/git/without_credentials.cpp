#include "collector/git/without_credentials.h"

#include <algorithm>

namespace perf {
namespace {

constexpr std::string_view kMark = "://";
constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-";

/// Whether the scheme that a text ends with is one of ssh's (ssh, git+ssh), whose names are no
/// secrets; of http a token may be the name.
bool ends_with_ssh(std::string_view text) {
  const std::size_t other = text.find_last_not_of(kLetters);
  std::string scheme(text.substr(other == std::string_view::npos ? 0 : other + 1));
  std::transform(scheme.begin(), scheme.end(), scheme.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return scheme.find("ssh") != std::string::npos;
}

}  // namespace

std::string without_credentials(std::string_view text) {
  std::string clean;
  for (std::size_t mark = text.find(kMark); mark != std::string_view::npos;
       mark = text.find(kMark)) {
    const std::size_t begin = mark + kMark.size();
    const std::string_view rest = text.substr(begin);
    // As curl reads it: a password may have an @ of its own.
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

}  // namespace perf

#include "collector/postgres/address.h"

#include <algorithm>
#include <array>

#include "schema/error.h"

namespace perf::postgres {
namespace {

constexpr std::array<std::string_view, 2> kSchemes{"postgres://", "postgresql://"};
constexpr std::array<std::string_view, 2> kSecrets{"password=", "sslpassword="};

std::size_t scheme_length(std::string_view text) {
  for (const std::string_view scheme : kSchemes) {
    if (text.starts_with(scheme)) {
      return scheme.size();
    }
  }
  return 0;
}

/// The part after "NAME:PASSWORD@", if there is one.
std::string_view behind_user(std::string_view rest) {
  const std::size_t at = rest.find('@');
  return at == std::string_view::npos ? rest : rest.substr(at + 1);
}

/// Whether the parts of an address without its scheme are unambiguous: no @ but the one after the
/// password, and ports that are numbers.
bool is_readable(std::string_view rest) {
  const std::size_t at = rest.find('@');
  if (at != std::string_view::npos &&
      (rest.find('@', at + 1) != std::string_view::npos || rest.find_first_of("/?#") < at)) {
    return false;
  }
  const std::string_view hosts = behind_user(rest).substr(0, behind_user(rest).find_first_of("/?"));
  bool in_port = false, in_brackets = false;
  for (const char letter : hosts) {
    in_brackets = letter == '[' || (in_brackets && letter != ']');
    if (letter == ',' || (letter == ':' && !in_brackets)) {
      in_port = letter == ':';
    } else if (in_port && (letter < '0' || letter > '9')) {
      return false;
    }
  }
  return true;
}

void hide(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
            text.begin() + static_cast<std::ptrdiff_t>(std::min(end, text.size())), '*');
}

}  // namespace

bool is_address(std::string_view text) {
  return scheme_length(text) != 0;
}

std::string shown(std::string_view address) {
  const std::size_t begin = scheme_length(address);
  std::string text(address.substr(0, begin));
  if (!is_readable(address.substr(begin))) {
    return text + "...";
  }
  const std::string_view rest = behind_user(address.substr(begin));
  return text.append(rest.substr(0, rest.find('?')));
}

std::string masked(std::string_view address) {
  std::string text(address);
  const std::size_t begin = scheme_length(address);
  if (begin == 0) {
    return text;
  }
  const std::size_t colon = address.find(':', begin), at = address.rfind('@');
  if (at != std::string_view::npos && colon < at) {
    hide(text, colon + 1, at);
  }
  for (const std::string_view secret : kSecrets) {
    for (std::size_t i = address.find(secret, begin); i != std::string_view::npos;
         i = address.find(secret, i + 1)) {
      hide(text, i + secret.size(), std::min(address.find('&', i), address.size()));
    }
  }
  return text;
}

std::string masked_text(std::string_view text) {
  std::string result;
  for (std::size_t at = text.find("postgres"); at != std::string_view::npos;
       at = text.find("postgres")) {
    result += text.substr(0, at);
    text = text.substr(at);
    const std::string_view word =
        is_address(text) ? text.substr(0, text.find_first_of(" \t\n\"'")) : text.substr(0, 8);
    result += masked(word);
    text = text.substr(word.size());
  }
  return result.append(text);
}

void require_readable(std::string_view address) {
  if (!is_readable(address.substr(scheme_length(address)))) {
    throw UsageError(
        "invalid address of the hub", shown(address),
        "write postgres://USER@HOST:PORT/DATABASE; in a name or a password write @ as %40, "
        "/ as %2F, ? as %3F, # as %23; or give the password in PGPASSWORD or "
        "~/.pgpass");
  }
}

}  // namespace perf::postgres

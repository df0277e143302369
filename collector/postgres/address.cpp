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
  std::string_view rest = address.substr(begin);
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos) {
    if (rest.find('?') < at) {  // its end may be that of a password
      return std::string(address.substr(0, begin)) + "...";
    }
    rest = rest.substr(at + 1);
  }
  return std::string(address.substr(0, begin)).append(rest.substr(0, rest.find('?')));
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

void require_readable(std::string_view address) {
  const std::string_view rest = address.substr(scheme_length(address));
  const std::size_t at = rest.find('@');
  if (at != std::string_view::npos &&
      (rest.find('@', at + 1) != std::string_view::npos || rest.find_first_of("/?#") < at)) {
    throw UsageError("the address of the hub does not read", shown(address),
                     "in a name or a password write @ as %40, / as %2F, ? as %3F, # as %23; or "
                     "leave the password to PGPASSWORD or ~/.pgpass");
  }
}

}  // namespace perf::postgres

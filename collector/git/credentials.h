#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perf {

/// A text, such as a URL or what git says, without what its URLs have ahead of an @: names,
/// passwords and tokens. The bare name of ssh://git@host stays, and so does git@host:path.
std::string without_credentials(std::string_view text);

/// The credentials of URLs, kept out of the files of a checkout: git is given them as rules
/// (url.*.insteadOf) in its environment, for one run.
class KeptCredentials {
 public:
  /// A URL without its credentials, which are kept: for it, and for other URLs of the same host as
  /// far as none are kept for that yet, because relative addresses lead to such.
  std::string take_from(const std::string& url);

  /// For GitRequest::environment: the rules, after those that the user's own environment has.
  std::vector<std::pair<std::string, std::string>> environment() const;

 private:
  void keep(const std::string& with, const std::string& without);

  /// How URLs begin, without credentials and with them.
  std::vector<std::pair<std::string, std::string>> rules_;
};

}  // namespace perf

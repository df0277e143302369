#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/git/repository.h"

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

/// Arguments of git, ahead of its command, that switch off the filters (gitattributes(5)) which
/// only the clone's own config defines: the checkouts that are measured do without them, and a
/// tree names which of its files they get. What the user has configured for all repositories
/// stays, and so does `lfs`, which `git lfs install --local` puts there. Throws Error where git
/// cannot list them, and where one cannot be switched off.
std::vector<std::string> without_own_filters(const Repository& repository);

/// For GitRequest::environment, where GIT_DIR is another repository: what the settings of
/// `repository` say about reaching its remotes and those of `other` do not. Git itself lists them,
/// because some hold for one repository alone (includeIf "gitdir:..."), and nothing else of them is
/// taken: no hooks, no mirroring. Throws Error where git cannot read them.
std::vector<std::pair<std::string, std::string>> remote_settings(
    const Repository& repository, const std::filesystem::path& other);

}  // namespace perf

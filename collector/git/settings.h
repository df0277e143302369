#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// A text, such as a URL or git's output, without the names, passwords and tokens before the @ of
/// its URLs. The user name of ssh://git@host stays, and so does git@host:path.
std::string without_credentials(std::string_view text);

/// Keeps the credentials of URLs out of the files of a checkout: git gets them as rules
/// (url.*.insteadOf) in its environment, for one run.
class KeptCredentials {
 public:
  /// Removes a URL's credentials and keeps them, for this URL and, because relative URLs resolve to
  /// such, for others of the same host without credentials of their own.
  std::string take_from(const std::string& url);

  /// For GitRequest::environment: the rules, after those of the user's environment.
  std::vector<std::pair<std::string, std::string>> environment() const;

 private:
  void keep(const std::string& with, const std::string& without);

  /// The beginnings of URLs, without credentials and with them.
  std::vector<std::pair<std::string, std::string>> rules_;
};

/// Runs git in `workdir`, and where GIT_DIR names a repository, without the commands that only the
/// clone's own config names: filters (gitattributes(5)), credential helpers, ssh, ... Those that
/// the user has configured for all repositories stand for them; for the filter `lfs`, which `git
/// lfs install --local` configures, those of git-lfs. Throws Error where git cannot list the
/// settings, and where one cannot be switched off.
RunProcess without_own_commands(RunProcess run, const std::filesystem::path& workdir);

/// Those of the user's settings that decide what git writes into a checkout: filters, line ends and
/// the file of attributes; "KEY VALUE" on lines. Throws Error where git cannot list the settings.
std::string settings_of_checkouts(const RunProcess& run);

/// For GitRequest::environment, where GIT_DIR is another repository: the settings of `repository`
/// for reaching its remotes that `other` does not have. Listed by git, because some are conditional
/// (includeIf "gitdir:..."); hooks, mirroring and other settings are left out. Throws Error where
/// git cannot read them.
std::vector<std::pair<std::string, std::string>> remote_settings(
    const Repository& repository, const std::filesystem::path& other);

}  // namespace perf

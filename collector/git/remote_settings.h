#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// For GitRequest::environment, where GIT_DIR is another repository: what the settings of
/// `repository` say about reaching its remotes and those of `other` do not. Git itself lists them,
/// because some hold for one repository alone (includeIf "gitdir:..."), and nothing else of them is
/// taken: no hooks, no mirroring. Throws Error where git cannot read them.
std::vector<std::pair<std::string, std::string>> remote_settings(
    const Repository& repository, const std::filesystem::path& other);

}  // namespace perf

#pragma once

#include <string>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// Arguments of git, ahead of its command, that switch off the filters (gitattributes(5)) which
/// only the clone's own config defines: the checkouts that are measured do without them, and a
/// tree names which of its files they get. What the user has configured for all repositories
/// stays, and so does `lfs`, which `git lfs install --local` puts there. Throws Error where git
/// cannot list them, and where one cannot be switched off.
std::vector<std::string> without_own_filters(const Repository& repository);

}  // namespace perf

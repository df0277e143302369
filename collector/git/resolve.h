#pragma once

#include <string>

#include "collector/git/repository.h"

namespace perf {

/// The commit that a git expression leads to. Throws UsageError, with the nearest name that there
/// is, where nothing has that name; otherwise as Repository::find.
Revision resolve(const Repository& repository, const std::string& expression);

/// The UsageError of a name that leads nowhere; `others`: names beside those of git that could have
/// been meant.
UsageError unknown_name(const Repository& repository, const std::string& name,
                        const std::vector<std::string>& others = {});

}  // namespace perf

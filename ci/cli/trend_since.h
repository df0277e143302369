#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "schema/revision.h"

namespace perf {

/// The position on a line (oldest first) of the first commit that `--since WHEN` is about: of a day
/// (2026-01-31, UTC) the first commit of that day or later, of a duration (30d) the first that is
/// no older at `now` (seconds since the epoch), by committer times, and of a revision the commit
/// after it, or after the point where its branch leaves the line. The line's length where there is
/// none. Throws UsageError for anything else.
std::uint32_t position_since(const std::string& when, std::int64_t now,
                             const Repository& repository, const NameSources& sources,
                             const std::vector<Revision>& line);

}  // namespace perf

#pragma once

#include <vector>

#include "collector/git/repository.h"
#include "schema/revision.h"

namespace perf {

/// The commits of BAD's first-parent line after GOOD, oldest first; the last one is BAD. Throws
/// UsageError, with the commit to name in its place, where GOOD is not on that line; Error where a
/// shallow clone was cut inside it.
std::vector<Revision> bisect_line(const Repository& repository, const Revision& good,
                                  const Revision& bad);

}  // namespace perf

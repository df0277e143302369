#pragma once

#include "ci/cli/options/options.h"
#include "schema/trend.h"

namespace perf {

/// Has the commands that the report prints work on the repository, config and store that the
/// options name, where they name any.
void name_place(const Options& options, TrendReport& report);

}  // namespace perf

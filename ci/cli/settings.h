#pragma once

#include "ci/cli/options/options.h"
#include "collector/build/variants.h"

namespace perf {

/// --base-set, --head-set and --vary with their values typed like JSON's. Throws UsageError where
/// one side's key is given twice.
Settings settings_of(const Options& options);

}  // namespace perf

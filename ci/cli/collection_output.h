#pragma once

#include <vector>

#include "ci/cli/options/options.h"
#include "schema/collection.h"
#include "schema/error.h"

namespace perf {

/// Writes what was collected in every form that was asked for, as `write_outputs` does. A
/// collection has no test cases, no families of metrics and no pictures: such an option is the
/// caller's to refuse. Answers what could not be written.
std::vector<Error> write_outputs(const Collection& collection, const Options& options);

}  // namespace perf

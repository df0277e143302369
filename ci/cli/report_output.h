#pragma once

#include <functional>
#include <vector>

#include "ci/cli/output.h"
#include "schema/measured.h"
#include "schema/report.h"

namespace perf {

/// The raw measurements behind a report; asked for where something draws them, and only then.
using MeasuredBehind = std::function<std::vector<MeasuredWorkload>()>;

/// Writes a comparison in every format that was asked for, as write_outputs of Renderings does.
/// `measured`: empty where nothing is known of single steps.
std::vector<Error> write_outputs(const Report& report, const MeasuredBehind& measured,
                                 const Options& options);

}  // namespace perf

#pragma once

#include <vector>

#include "reporter/document.h"
#include "schema/trend.h"

namespace perf::reporter {

/// Where many series of a machine moved together, new ones first, then newest first: when, how
/// many, how far, what of the machine changed there, and the command that tells machine from
/// commit.
std::vector<Prose> machine_event_lines(const TrendReport& report);

}  // namespace perf::reporter

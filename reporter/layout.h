#pragma once

#include <string>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// Lays a report out for people: the verdict, base and head, the environment, what changed, counts
/// of the rest, targets; and for the second look everything, the environment, how to reproduce.
/// `in_full` is where the reader finds what is only counted.
Document lay_out(const Report& report, const std::string& in_full = kInFullElsewhere);

}  // namespace perf::reporter

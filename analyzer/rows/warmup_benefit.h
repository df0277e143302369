#pragma once

#include <optional>

#include "analyzer/samples/series.h"
#include "schema/report.h"

namespace perf {

/// What the first step of a process costs at head against its steady state: medians over head's
/// invocations of the first step (a warm-up step, where there is one) and of the median of the
/// timed steps. Nothing for a series that is not of steps, or where no invocation has a second
/// step.
std::optional<WarmupBenefit> warmup_benefit(const Series& series);

}  // namespace perf

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyzer/samples/metric_samples.h"
#include "schema/report.h"

namespace perf {

/// How the phases of a step changed over these pairs: for each phase the Hodges-Lehmann estimate of
/// the paired differences, and the medians of both sides over all timed steps. A step without the
/// phase spent no time in it. In the order of first appearance, head's steps first.
///
/// A phase has moved where its own signed-rank interval excludes 0, at `alpha` shared among the
/// phases: noise carries no change. Its share is its Hodges-Lehmann difference in seconds by that
/// of the step, given only where the step itself moved at `alpha`. Shares need not add up to 1:
/// time outside the phases has none.
std::vector<PhaseChange> phase_changes(std::span<const PairedSample> pairs, double alpha);

/// What the first step of a process costs at head against its steady state: medians over head's
/// invocations of the first step (a warm-up step, where there is one) and of the median of the
/// timed steps. Nothing for a series that is not of steps, or where no invocation has a second
/// step.
std::optional<WarmupBenefit> warmup_benefit(const MetricSamples& series);

}  // namespace perf

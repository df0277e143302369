#pragma once

#include <span>
#include <vector>

#include "analyzer/samples/series.h"
#include "schema/report.h"

namespace perf {

/// How the phases of a step changed over these pairs: for each phase the Hodges-Lehmann estimate of
/// the paired differences, and the medians of both sides over all timed steps. A step without the
/// phase spent no time in it. In the order of first appearance, head's steps first.
std::vector<PhaseChange> phase_changes(std::span<const PairedSample> pairs);

}  // namespace perf

#pragma once

#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter::html {

using Comparisons = std::vector<const Comparison*>;

// What a page tells of the comparisons of one workload, beyond their rows. A table without rows
// has nothing to tell.

/// How each was judged: change, threshold, p, look, pairs, and what it would take.
Table judgement_table(const Comparisons& comparisons);
/// Both sides of each: median, p90, mean, standard deviation, extremes, variation, how many.
Table statistics_table(const Comparisons& comparisons);
/// The phases of a step, and which of them moved.
Table phase_table(const Comparisons& comparisons);
/// The workload's checks; every metric repeats them, so they are told once.
Table check_table(const Comparisons& comparisons);

}  // namespace perf::reporter::html

#pragma once

#include <cstddef>
#include <vector>

#include "reporter/document.h"
#include "schema/run_list.h"

namespace perf::reporter {

/// Characters of a run's id or of a commit that tell it among others, in a table.
inline constexpr std::size_t kShownId = 8;

/// The verdict, else how the run ended: "unfinished", "interrupted", "-".
Span ending_span(const ListedRun& run);

/// Whether `report` shows it again.
bool has_report(const ListedRun& run);

/// A table of runs, a row each, that fits 100 columns; with a column for sizes where they differ.
Table run_table(const std::vector<ListedRun>& runs);

}  // namespace perf::reporter

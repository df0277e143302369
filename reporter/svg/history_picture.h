#pragma once

#include <string>

#include "reporter/trend/series_history.h"

namespace perf::reporter::svg {

/// A series along the line of commits: its points, the levels between its change points with the
/// noise of a point (+- 2 standard deviations) around them, change points and suspects by shape and
/// colour, baselines, machine events, and what other machines measured. Values far beyond the rest
/// stand as small triangles at the border. `titled`: with what it is of and what its marks mean,
/// for a picture that stands alone. A picture of its natural size is `kHistoryWidth` wide.
std::string history_picture(const SeriesHistory& history, bool titled);

/// The same without any words, as large as a line of a table.
std::string history_thumbnail(const SeriesHistory& history);

constexpr double kHistoryWidth = 940;

}  // namespace perf::reporter::svg

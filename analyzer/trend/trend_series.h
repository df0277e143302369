#pragma once

#include <cstdint>
#include <vector>

#include "schema/recorded_history.h"
#include "schema/trend.h"

namespace perf {

/// Where a point's value comes from: the last invocation of its commit.
struct PointOrigin {
  std::uint32_t run = 0;          ///< index into RecordedHistory::runs
  std::uint32_t declaration = 0;  ///< index into RecordedHistory::declarations
};

/// A series as it was measured, nothing found in it yet.
struct MeasuredSeries {
  TrendSeries series;                ///< key, entry, metric and points
  std::vector<PointOrigin> origins;  ///< one a point
  std::size_t steps_from_zero = 0;   ///< found, but no relative change: left out
};

/// The series of a history, and the commits that were measured.
struct MeasuredLine {
  std::vector<std::uint32_t> positions;  ///< of the measured commits on the line, ascending
  std::vector<MeasuredSeries> series;    ///< sorted by workload, params, metric, environment
};

/// Points are medians over the invocations of a commit (anchored: over its pairs). A workload with
/// several blocks gives a series for each, named as in a comparison; blocks that bore another name
/// once are one series where the workload never has two at a time.
MeasuredLine measured_line(const RecordedHistory& recorded);

/// Whether a finding in the series may be an alert: of step_time, peak_rss and the metrics that a
/// threshold names; with --metric of what that names and nothing else.
bool may_alert(const TrendSeries& series, const Policy& policy);

}  // namespace perf

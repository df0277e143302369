#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend_series.h"
#include "schema/revision.h"

namespace perf {

/// What will be asked of points once all series were searched.
struct AskedPoints {
  const std::vector<Revision>& line;
  const CommitIndex& commits;               ///< of the line
  const std::vector<const Alert*>& alerts;  ///< of the series
  std::uint32_t since = 0;                  ///< a position on the line that a report begins at
};

/// Leaves out all points of a series but the first, the last, and those about its findings, about
/// what its alerts speak of and about where the report begins: what states and reports that draw
/// no series ask for. Wants it searched; commits are positions on the line.
void keep_asked_points(MeasuredSeries& measured, const AskedPoints& asked);

}  // namespace perf

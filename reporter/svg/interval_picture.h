#pragma once

#include <string>
#include <vector>

#include "reporter/svg/axis.h"
#include "schema/report.h"

namespace perf::reporter::svg {

constexpr double kIntervalCellWidth = 220;

/// One axis for the changes of all these comparisons, from x = `from` to `to`: wide enough for
/// their threshold bands and most intervals. What lies beyond it is drawn as an arrow at its end.
Axis change_axis(const std::vector<Comparison>& comparisons, double from, double to);
/// The same for `interval_cell` and `interval_scale`.
Axis cell_axis(const std::vector<Comparison>& comparisons);

/// A comparison for a cell of a table: its interval and estimate against its threshold's
/// band, `kIntervalCellWidth` wide. The mark tells the verdict by shape and colour.
std::string interval_cell(const Comparison& comparison, const Axis& axis);
/// The percentages of that axis, for the head of the column.
std::string interval_scale(const Axis& axis);

/// A row a comparison in the given order: name, interval against its band, change in words. Rows
/// are groups with `data-name` and `data-verdict`. Empty where nothing is to be drawn.
std::string interval_picture(const std::vector<Comparison>& comparisons);

}  // namespace perf::reporter::svg

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reporter/svg/drawing.h"
#include "reporter/trend/histories.h"
#include "schema/measured.h"
#include "schema/report.h"

namespace perf::reporter::svg {

// The pictures of a report, of a workload and of a series, each an <svg> element.

constexpr double kIntervalCellWidth = 220;

/// The class that colours a comparison: its verdict's word, or "unjudged".
std::string verdict_class(const Comparison& comparison);

/// The mark of its estimate, so that verdicts differ without colour: regressed a square,
/// improved a diamond, unchanged a disc, undecided a ring, unjudged a small disc.
void draw_verdict_mark(Drawing& drawing, const Comparison& comparison, Point center);

/// The interval and whether there is a change, where their numbers can be drawn.
std::optional<Interval> finite_interval(const Comparison& comparison);
bool finite_change(const Comparison& comparison);

/// One axis for the changes of all these comparisons, from x = `from` to `to`: wide enough for
/// their threshold bands and most intervals. What lies beyond it is drawn as an arrow at its end.
Axis change_axis(const std::vector<Comparison>& comparisons, double from, double to);
/// The same for `interval_cell` and `interval_scale`.
Axis cell_axis(const std::vector<Comparison>& comparisons);

/// A comparison for a cell of a table: its interval and estimate against its threshold's
/// band, `kIntervalCellWidth` wide. The mark shows the verdict by shape and colour.
std::string interval_cell(const Comparison& comparison, const Axis& axis);
/// The percentages of that axis, for the head of the column.
std::string interval_scale(const Axis& axis);

/// A row a comparison in the given order: name, interval against its band, change in words. Rows
/// are groups with `data-name` and `data-verdict`. Empty where nothing is to be drawn.
std::string interval_picture(const std::vector<Comparison>& comparisons);

/// The change in each pair, in the order measured, against the threshold band; the estimate is a
/// line and its interval a band around it. Empty where no pairs are known.
std::string pair_picture(const Comparison& comparison, double width = kPanelWidth);

/// head/base at one size.
struct RatioPoint {
  double size = 0;
  double ratio = 1;
  std::optional<Interval> interval{};  ///< of the ratio
};

/// Comparisons of one workload and metric that differ in one number.
struct RatioLine {
  std::string name;       ///< the workload, with `*` where the number stood
  std::string parameter;  ///< "layers"; empty where the number is a part of the name
  Metric metric;
  std::vector<RatioPoint> points{};  ///< by size, ascending, no size twice; at least two
};

/// What differs in one number: a parameter (`--vary layers=1,2,4`: the first value is the base of
/// the others, and is 1 on the line), or a number that is a part of the name (`BM_sort/1024`,
/// `BM_sort/4096`; `forward/batch_1_length_128`, on a line over batches and one over lengths). By
/// name, then metric.
std::vector<RatioLine> ratio_lines(const std::vector<Comparison>& comparisons);

constexpr std::size_t kMostRatioLines = 6;  ///< of one picture, which has as many colours

/// Sets of lines for one picture each: of one parameter and one metric.
std::vector<std::vector<RatioLine>> ratio_sets(const std::vector<Comparison>& comparisons);

/// head/base of the lines over the sizes, with their intervals; both axes are logarithmic where
/// they span more than a decade. Empty where there are no lines.
std::string ratio_picture(const std::vector<RatioLine>& lines);

/// Bars of base and head for every workload that has `metric` on both sides. Every workload's base
/// is 100 %, because bars start at zero and workloads differ by magnitudes; the values are written
/// beside them. Empty where no workload has both.
std::string bar_picture(const std::vector<Comparison>& comparisons, const Metric& metric);

/// Every step of a workload in the order of the session: a slot a process, its steps from left to
/// right; base and head in one field, warm-up hollow, the medians of the timed steps as lines.
/// Steps far beyond the others stand at the border as arrows; more than `kMostDots` of a side are
/// thinned out evenly: the picture says both. Empty where there are no steps.
std::string step_picture(const MeasuredWorkload& measured, double width = kPanelWidth);

/// The memory of a workload over the session: the peak of every process and, where steps report it,
/// what was resident after them. Empty where nothing is known.
std::string memory_picture(const MeasuredWorkload& measured, double width = kPanelWidth);

/// Of the metrics that neither the steps nor the memory show.
bool is_another(const Metric& metric);

/// One metric, process by process in the order of the session, base and head, with their medians as
/// lines. Empty where no process has a value of it.
std::string process_picture(const MeasuredWorkload& measured, const Metric& metric,
                            double width = kPanelWidth);

/// A series along the line of commits: its points, the levels between its change points with the
/// noise of a point (+- 2 standard deviations), change points and suspects by shape and colour,
/// baselines, machine events, and the values of other machines. Values far beyond the rest are
/// small triangles at the border. `titled`: with the name of the series, for a file of its own.
/// A page stretches the group "field" (history.js).
std::string history_picture(const SeriesHistory& history, bool titled);

/// Its axes: positions to the right; upwards values as people read them, divided by the scale's
/// factor. `down`: how much lower the field lies below a title.
struct HistoryAxes {
  Axis across, upwards;
};
HistoryAxes history_axes(const SeriesHistory& history, double down = 0);

/// The same without any words, as large as a line of a table.
std::string history_thumbnail(const SeriesHistory& history);

constexpr double kHistoryWidth = 940;

}  // namespace perf::reporter::svg

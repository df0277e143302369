#include <cmath>
#include <cstddef>
#include <map>

#include "reporter/comparison/report_sections.h"
#include "reporter/escape/visible.h"
#include "reporter/svg/drawing.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/quantity.h"
#include "schema/text/lists.h"

namespace perf::reporter::svg {
namespace {

void draw_arrow(Drawing& drawing, double x, double y, bool right) {
  constexpr double kLength = 6, kHalf = 3.5;
  const double foot = right ? x - kLength : x + kLength;
  drawing.polygon({{foot, y - kHalf}, {x, y}, {foot, y + kHalf}}, "");
}

void draw_reach(Drawing& drawing, const Interval& interval, const Axis& axis, double y) {
  drawing.line({axis.within(interval.low), y}, {axis.within(interval.high), y}, "strong");
  if (interval.high > axis.high) {
    draw_arrow(drawing, axis.to, y, true);
  }
  if (interval.low < axis.low) {
    draw_arrow(drawing, axis.from, y, false);
  }
}

/// Where the value is no longer zero, there is no change to tell, but a direction.
bool grew_from_zero(const Comparison& comparison) {
  return !comparison.change && comparison.base && comparison.head && comparison.base->median == 0 &&
         comparison.head->median != 0;
}

void draw_estimate(Drawing& drawing, const Comparison& comparison, const Axis& axis, double y) {
  const double change = *comparison.change;
  if (change >= axis.low && change <= axis.high) {
    draw_verdict_mark(drawing, comparison, {axis.at(change), y});
  } else if (!finite_interval(comparison)) {
    draw_arrow(drawing, axis.within(change), y, change > axis.high);
  }
}

/// One comparison on one line: its threshold band, no change at all, its interval and estimate,
/// within y +- half. What lies beyond the axis is an arrow at that end; from zero to something lies
/// beyond any.
void draw_interval(Drawing& drawing, const Comparison& comparison, const Axis& axis, double y,
                   double half) {
  if (comparison.threshold > 0 && std::isfinite(comparison.threshold)) {
    const Interval band = threshold_band(comparison.threshold);
    const double from = axis.within(band.low);
    drawing.rectangle({from, y - half}, axis.within(band.high) - from, 2 * half, "band");
  }
  drawing.line({axis.at(0), y - half}, {axis.at(0), y + half}, "axis");
  drawing.begin_group(verdict_class(comparison));
  if (const auto interval = finite_interval(comparison)) {
    draw_reach(drawing, *interval, axis, y);
  }
  if (finite_change(comparison)) {
    draw_estimate(drawing, comparison, axis, y);
  } else if (grew_from_zero(comparison)) {
    draw_arrow(drawing, comparison.head->median > 0 ? axis.to : axis.from, y,
               comparison.head->median > 0);
  }
  drawing.end_group();
}

constexpr double kCellHeight = 22, kCellMargin = 8;
constexpr double kIntervalRow = 20, kIntervalHead = 24, kIntervalFoot = 34;
constexpr double kIntervalMetric = 216, kIntervalFrom = 332, kIntervalTo = 566,
                 kIntervalWords = 580, kIntervalWidth = 760;
constexpr std::size_t kIntervalNameColumns = 34, kMetricColumns = 18;
constexpr double kPercent = 100;

/// The change, or the word for why there is none.
std::string words_of(const Comparison& comparison) {
  if (finite_change(comparison)) {
    return change_text(comparison.change, finite_interval(comparison));
  }
  if (comparison.base && comparison.head && comparison.base->median == 0) {
    return "from zero";
  }
  return comparison.verdict ? std::string(to_string(*comparison.verdict)) : std::string("-");
}

std::string sentence(const Comparison& comparison) {
  const std::string verdict = state_of(comparison);
  std::string words = one_line(comparison.workload) + " " + one_line(comparison.metric.name) +
                      ": " + words_of(comparison);
  if (words_of(comparison) != verdict) {
    words += ", " + verdict;
  }
  if (comparison.threshold > 0) {
    words += " (threshold " + change_text(threshold_band(comparison.threshold).low) + " or +" +
             percentage(comparison.threshold) + ")";
  }
  return words;
}

void draw_scale(Drawing& drawing, const Axis& axis, double y) {
  const std::vector<double> percents =
      mapped(ticks(axis, 5), [](double share) { return share * kPercent; });
  for (const double percent : percents) {
    const std::string text = tick_text(percent, percents) + " %";
    const double x = axis.at(percent / kPercent);
    drawing.text({x, y}, (percent > 0 ? "+" : "") + text, "muted", Anchor::middle);
  }
}

void draw_grid(Drawing& drawing, const Axis& axis, double top, double bottom) {
  for (const double share : ticks(axis, 5)) {
    const double x = axis.at(share);
    drawing.line({x, top}, {x, bottom}, "grid");
  }
}

void draw_interval_row(Drawing& drawing, const Comparison& comparison, const Axis& axis, double top,
                       std::optional<std::size_t> tail) {
  constexpr double kBaseLine = 14;
  const std::string verdict = verdict_class(comparison);
  drawing.begin_group("row", sentence(comparison),
                      {{"data-name", one_line(comparison.workload)},
                       {"data-metric", one_line(comparison.metric.name)},
                       {"data-verdict", verdict}});
  drawing.text({0, top + kBaseLine},
               shortened(one_line(comparison.workload), kIntervalNameColumns, tail), "");
  drawing.text({kIntervalMetric, top + kBaseLine},
               shortened(one_line(comparison.metric.name), kMetricColumns), "muted");
  draw_interval(drawing, comparison, axis, top + kIntervalRow / 2, kIntervalRow / 2);
  drawing.text({kIntervalWords, top + kBaseLine}, words_of(comparison), verdict);
  drawing.end_group();
}

/// What the marks mean, with the number of rows of each; only what is there.
void draw_key(Drawing& drawing, const std::vector<Comparison>& comparisons, double y) {
  std::map<std::string, std::pair<const Comparison*, std::size_t>> kinds;
  for (const Comparison& comparison : comparisons) {
    if (!finite_change(comparison)) {
      continue;
    }
    auto& [example, count] = kinds[verdict_class(comparison)];
    example = &comparison;
    ++count;
  }
  double x = 6;
  for (const char* verdict :
       {"regressed", "inconclusive", "incomparable", "improved", "unchanged", "unjudged"}) {
    const auto kind = kinds.find(verdict);
    if (kind == kinds.end()) {
      continue;
    }
    const std::string word = kind->first == "unjudged" ? "not judged" : kind->first;
    const std::string words = word + " " + std::to_string(kind->second.second);
    drawing.begin_group(kind->first);
    draw_verdict_mark(drawing, *kind->second.first, {x, y - 4});
    drawing.text({x + 9, y}, words, "");
    drawing.end_group();
    x += text_width(words) + 28;
  }
  drawing.text({kIntervalWords, kIntervalHead - 9}, "grey: within the threshold", "muted");
}

}  // namespace

Axis cell_axis(const std::vector<Comparison>& comparisons) {
  return change_axis(comparisons, kCellMargin, kIntervalCellWidth - kCellMargin);
}

std::string interval_cell(const Comparison& comparison, const Axis& axis) {
  Drawing drawing(kIntervalCellWidth, kCellHeight, sentence(comparison));
  drawing.begin_group("", sentence(comparison));
  draw_interval(drawing, comparison, axis, kCellHeight / 2, kCellHeight / 2);
  drawing.end_group();
  return drawing.str();
}

std::string interval_scale(const Axis& axis) {
  constexpr double kHeight = 14;
  Drawing drawing(kIntervalCellWidth, kHeight, "changes in percent");
  draw_scale(drawing, axis, kHeight - 3);
  return drawing.str();
}

std::string interval_picture(const std::vector<Comparison>& comparisons) {
  if (comparisons.empty()) {
    return {};
  }
  const double bottom = kIntervalHead + kIntervalRow * static_cast<double>(comparisons.size());
  Drawing drawing(kIntervalWidth, bottom + kIntervalFoot + 14,
                  "The change of every comparison, with its interval");
  const Axis axis = change_axis(comparisons, kIntervalFrom, kIntervalTo);
  draw_scale(drawing, axis, kIntervalHead - 9);
  draw_grid(drawing, axis, kIntervalHead - 4, bottom + 4);
  double top = kIntervalHead;
  const auto tail = tail_of(comparisons, &Comparison::workload, kIntervalNameColumns);
  for (const Comparison& comparison : comparisons) {
    draw_interval_row(drawing, comparison, axis, top, tail);
    top += kIntervalRow;
  }
  draw_scale(drawing, axis, bottom + 16);
  draw_key(drawing, comparisons, bottom + kIntervalFoot + 6);
  return drawing.str();
}

}  // namespace perf::reporter::svg

#include <algorithm>
#include <cmath>

#include "reporter/escape/visible.h"
#include "reporter/svg/drawing.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/quantity.h"

namespace perf::reporter::svg {
namespace {

constexpr double kRow = 34, kBar = 11, kHead = 46, kFoot = 22;
constexpr double kBarName = 230, kBarFrom = 236, kBarTo = 490, kBarWords = 500, kBarWidth = 640;
constexpr std::size_t kNameColumns = 36;
constexpr double kLongest = 3;  ///< times the base: longer bars are cut, and say so

/// Bars need a length on both sides, of one sign.
bool has_bars(const Comparison& comparison, const Metric& metric) {
  return comparison.metric == metric && comparison.base && comparison.head &&
         std::isfinite(comparison.base->median) && std::isfinite(comparison.head->median) &&
         comparison.base->median > 0 && comparison.head->median >= 0;
}

double ratio_of(const Comparison& comparison) {
  return comparison.head->median / comparison.base->median;
}

Axis ratio_axis(const std::vector<const Comparison*>& rows) {
  double longest = 1;
  for (const Comparison* row : rows) {
    longest = std::max(longest, ratio_of(*row));
  }
  return {0, std::min(longest, kLongest), kBarFrom, kBarTo};
}

void draw_bar(Drawing& drawing, const Axis& axis, double ratio, double top, const std::string& side,
              const std::string& value) {
  const double end = axis.within(ratio);
  drawing.begin_group(side);
  drawing.rectangle({axis.from, top}, end - axis.from, kBar, "");
  if (ratio > axis.high)  // cut: the slanted gap of a broken bar
  {
    drawing.polygon(
        {{end - 14, top + kBar}, {end - 10, top}, {end - 6, top}, {end - 10, top + kBar}}, "paper");
  }
  drawing.end_group();
  drawing.text({kBarWords, top + kBar - 1.5}, value, side);
}

void draw_row(Drawing& drawing, const Comparison& row, const Axis& axis, double top,
              std::optional<std::size_t> tail) {
  const Scale scale =
      scale_for(row.base->median, row.head->median, shortened(one_line(row.metric.unit), 10));
  const std::string name = one_line(row.workload);
  drawing.begin_group(
      "row",
      name + ": " + scaled(row.base->median, scale) + " -> " + scaled(row.head->median, scale),
      {{"data-name", name}, {"data-verdict", verdict_class(row)}});
  drawing.text({kBarName, top + kBar + 4}, shortened(name, kNameColumns, tail), "", Anchor::end);
  draw_bar(drawing, axis, 1, top, "base", scaled(row.base->median, scale));
  draw_bar(drawing, axis, ratio_of(row), top + kBar + 1, "head", scaled(row.head->median, scale));
  if (finite_change(row)) {
    drawing.text({kBarWidth, top + kBar + 4}, change_text(row.change), verdict_class(row),
                 Anchor::end);
  }
  drawing.end_group();
}

}  // namespace

std::string bar_picture(const std::vector<Comparison>& comparisons, const Metric& metric) {
  std::vector<const Comparison*> rows;
  for (const Comparison& comparison : comparisons) {
    if (has_bars(comparison, metric)) {
      rows.push_back(&comparison);
    }
  }
  if (rows.empty()) {
    return {};
  }
  const std::string title = shortened(one_line(metric.name), 40);
  const double bottom = kHead + kRow * static_cast<double>(rows.size());
  Drawing drawing(kBarWidth, bottom + kFoot, title + " of base and head");
  drawing.text({0, 12}, title + ", median: base and head", "heading");
  const Axis axis = ratio_axis(rows);
  const std::vector<double> shares = ticks(axis, 4);
  for (const double share : shares) {
    drawing.line({axis.at(share), kHead - 8}, {axis.at(share), bottom - 4}, "grid");
    drawing.text({axis.at(share), kHead - 13}, percentage(share), "muted", Anchor::middle);
  }
  double top = kHead;
  const auto tail = tail_of(rows, &Comparison::workload, kNameColumns);
  for (const Comparison* row : rows) {
    draw_row(drawing, *row, axis, top, tail);
    top += kRow;
  }
  drawing.text({0, bottom + kFoot - 8},
               "100 % is the base of each workload; do not compare bars of two workloads", "muted");
  return drawing.str();
}

}  // namespace perf::reporter::svg

#include <algorithm>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"

namespace perf::reporter::svg {
namespace {

constexpr double kPairPercent = 100;

/// Around the pairs, the interval and no change at all; the threshold band belongs into it too,
/// unless it is so wide that the pairs would be one line.
Axis percent_axis(const Comparison& comparison, const Panel& panel) {
  std::vector<double> percents =
      mapped(comparison.pair_changes, [](const double change) { return change * kPairPercent; });
  Axis axis = axis_around_most(percents, panel.bottom, panel.top);
  double low = std::min(axis.low, 0.0), high = std::max(axis.high, 0.0);
  const auto reach = [&](double share) {
    if (is_drawable(share)) {
      low = std::min(low, share * kPairPercent);
      high = std::max(high, share * kPairPercent);
    }
  };
  if (const auto interval = finite_interval(comparison)) {
    reach(interval->low);
    reach(interval->high);
  }
  constexpr double kMostOfField = 8;
  if (comparison.threshold * kPairPercent < kMostOfField * (high - low)) {
    reach(comparison.threshold);
    reach(threshold_band(comparison.threshold).low);
  }
  return axis_around(low, high, panel.bottom, panel.top);
}

void draw_band(const Axis& axis, double low, double high, const std::string& classes,
               Panel& panel) {
  const auto [top, bottom] =
      std::minmax({axis.within(high * kPairPercent), axis.within(low * kPairPercent)});
  panel.drawing.rectangle({panel.left, top}, panel.right - panel.left, bottom - top, classes);
}

void draw_estimate(const Comparison& comparison, const Axis& axis, Panel& panel) {
  const std::string verdict = verdict_class(comparison);
  if (const auto interval = finite_interval(comparison)) {
    draw_band(axis, interval->low, interval->high, verdict + " reach", panel);
  }
  if (!finite_change(comparison)) {
    return;
  }
  const double y = axis.within(*comparison.change * kPairPercent);
  panel.drawing.line({panel.left, y}, {panel.right, y}, verdict + " strong");
}

std::size_t draw_pairs(const Comparison& comparison, const Axis& axis, Panel& panel) {
  const std::vector<double>& changes = comparison.pair_changes;
  std::vector<Point> points;
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!is_drawable(changes[i])) {
      continue;
    }
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(changes.size());
    const double x = panel.left + share * (panel.right - panel.left);
    const double percent = changes[i] * kPairPercent;
    if (percent < axis.low || percent > axis.high) {
      ++beyond;
      draw_beyond(panel, x, percent > axis.high, "");
    } else {
      points.push_back({x, axis.at(percent)});
    }
  }
  begin_values(panel, axis, " %");
  panel.drawing.dots(points, "");
  panel.drawing.end_group();
  return beyond;
}

}  // namespace

std::string pair_picture(const Comparison& comparison, double width) {
  const std::vector<double>& changes = comparison.pair_changes;
  if (std::ranges::none_of(changes, [](double change) { return is_drawable(change); })) {
    return {};
  }
  const std::string metric = shortened(one_line(comparison.metric.name), 24);
  Panel picture = panel(width, "Pairs: change of " + metric,
                        "The change of " + metric + " in every pair of " +
                            shortened(one_line(comparison.workload), 200));
  const Axis axis = percent_axis(comparison, picture);
  const Interval band = threshold_band(comparison.threshold);
  if (comparison.threshold > 0) {
    draw_band(axis, band.low, band.high, "band", picture);
  }
  draw_values(picture.drawing, axis, picture.left, picture.right, " %");
  const double zero = axis.within(0);
  picture.drawing.line({picture.left, zero}, {picture.right, zero}, "axis");
  draw_estimate(comparison, axis, picture);
  const std::size_t beyond = draw_pairs(comparison, axis, picture);
  if (finite_change(comparison)) {
    draw_legend(picture, {{verdict_class(comparison),
                           change_text(comparison.change, finite_interval(comparison))}});
  }
  draw_caption(picture, 0, counted(changes.size(), "pair") + " in the order they ran");
  std::string remark = comparison.threshold > 0 ? "grey: " + change_text(band.low) + " to +" +
                                                      percentage(comparison.threshold)
                                                : "";
  if (beyond > 0) {
    remark += (remark.empty() ? "" : "; ") + std::to_string(beyond) + " beyond the scale";
  }
  draw_caption(picture, 1, remark);
  return picture.drawing.str();
}

}  // namespace perf::reporter::svg

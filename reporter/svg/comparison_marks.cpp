#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "reporter/svg/pictures.h"
#include "reporter/text/wording.h"

namespace perf::reporter::svg {
namespace {

constexpr double kUsualThreshold = 0.1;  ///< where no comparison has one
constexpr double kWidestThreshold = 10;  ///< bands beyond that may leave the picture
constexpr double kBandAndMore = 1.5;     ///< what is always seen, in thresholds
constexpr double kPlain = 5;             ///< what is seen if needed, in thresholds
constexpr double kFar = 10;              ///< times the rest: a change beyond is an arrow after all
constexpr double kTimesEstimate = 3;     ///< an interval far wider than its change does not set it
constexpr double kMost = 0.8;  ///< share of the comparisons that no limit cuts off, however far

double widest_threshold(const std::vector<Comparison>& comparisons) {
  double widest = 0;
  for (const Comparison& comparison : comparisons) {
    if (std::isfinite(comparison.threshold)) {
      widest = std::max(widest, comparison.threshold);
    }
  }
  return widest > 0 ? std::min(widest, kWidestThreshold) : kUsualThreshold;
}

/// What one side has to hold.
struct Reach {
  std::vector<double> ends;                          ///< where each comparison reaches to
  std::vector<std::pair<double, double>> flagged{};  ///< estimate and end of those that moved
};

/// How far to go on one side, where the comparisons reach so far on it; few far ones are cut off.
double plain_limit(std::vector<double> reaches, double threshold) {
  if (reaches.empty()) {
    return kBandAndMore * threshold;
  }
  std::ranges::sort(reaches);
  const auto most = static_cast<std::size_t>(kMost * (reaches.size() - 1.0));
  const double cut = std::max(kPlain * threshold, reaches[most]);
  return std::max(kBandAndMore * threshold, std::min(reaches.back(), cut));
}

/// The same, but what moved is not cut off: the reader came for it.
double limit(const Reach& reach, double threshold) {
  const double plain = plain_limit(reach.ends, threshold);
  double far = plain;
  for (const auto& [estimate, end] : reach.flagged) {
    if (estimate <= kFar * std::max(plain, kPlain * threshold)) {
      far = std::max(far, std::min(end, kTimesEstimate * estimate));
    }
  }
  return far;
}

}  // namespace

std::string verdict_class(const Comparison& comparison) {
  const std::optional<Verdict> verdict = verdict_of(comparison);
  return verdict ? std::string(to_string(*verdict)) : "unjudged";
}

void draw_verdict_mark(Drawing& drawing, const Comparison& comparison, Point center) {
  constexpr double kHalf = 4, kDiagonal = 5, kRadius = 3.5, kHole = 1.8, kSmall = 2.5;
  const std::string verdict = verdict_class(comparison);
  if (verdict == "regressed") {
    drawing.rectangle({center.x - kHalf, center.y - kHalf}, 2 * kHalf, 2 * kHalf, "");
  } else if (verdict == "improved") {
    drawing.polygon({{center.x, center.y - kDiagonal},
                     {center.x + kDiagonal, center.y},
                     {center.x, center.y + kDiagonal},
                     {center.x - kDiagonal, center.y}},
                    "");
  } else {
    drawing.circle(center, verdict == "unjudged" ? kSmall : kRadius, "");
    if (verdict != "unjudged" && verdict != "unchanged") {
      drawing.circle(center, kHole, "paper");
    }
  }
}

std::optional<Interval> finite_interval(const Comparison& comparison) {
  if (comparison.interval && is_drawable(comparison.interval->low) &&
      is_drawable(comparison.interval->high)) {
    return comparison.interval;
  }
  return std::nullopt;
}

bool finite_change(const Comparison& comparison) {
  return comparison.change && is_drawable(*comparison.change);
}

Axis change_axis(const std::vector<Comparison>& comparisons, double from, double to) {
  Reach down, up;
  for (const Comparison& comparison : comparisons) {
    if (!finite_change(comparison)) {
      continue;
    }
    const double change = *comparison.change;
    const Interval around = finite_interval(comparison).value_or(Interval{change, change});
    down.ends.push_back(-std::min(change, around.low));
    up.ends.push_back(std::max(change, around.high));
    if (is_change(verdict_of(comparison))) {
      down.flagged.emplace_back(-change, down.ends.back());
      up.flagged.emplace_back(change, up.ends.back());
    }
  }
  const double threshold = widest_threshold(comparisons);
  return axis_around(-limit(down, threshold), limit(up, threshold), from, to);
}

}  // namespace perf::reporter::svg

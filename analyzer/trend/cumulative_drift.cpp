#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "analyzer/detector/levels.h"
#include "analyzer/rule/decision.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/internal.h"

namespace perf {
namespace {

constexpr double kNormal99 = 2.5758;

/// Points [begin, end) of a series.
struct Stretch {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

Stretch segment_about(const TrendSeries& series, std::size_t point) {
  Stretch segment{0, series.points.size()};
  for (const ChangePoint& step : series.change_points) {
    if (step.index <= point) {
      segment.begin = step.index;
    } else {
      segment.end = std::min(segment.end, step.index);
    }
  }
  return segment;
}

/// At most kLevelPoints of a segment, as near to a point as may be.
Stretch nearest_points(const Stretch& segment, std::size_t point) {
  const std::size_t count = std::min(kLevelPoints, segment.size());
  const std::size_t half = count / 2;
  const std::size_t begin = point - segment.begin > half ? point - half : segment.begin;
  const std::size_t latest = segment.end - count;
  return {std::min(begin, latest), std::min(begin, latest) + count};
}

/// What the level of a few neighbours errs by, in units of one point, relative: the noise from
/// point to point s or the long-run noise LR, whichever is more. Unlike the detector's LR
/// (NoiseLevels::long_run) it is not raised by the drift that the level is asked about: it goes by
/// noise_about_lines, once of the series, once of what the steps found in it leave: the lesser of
/// the two, and at most the detector's LR. Of points that are positive; needs the series searched.
double level_noise(const TrendSeries& series) {
  const NoiseLevels noise = noise_levels(log_values(series));
  const NoiseLevels rest = noise_levels(residuals(series));
  const double long_run =
      std::min({noise.long_run, noise_about_lines(noise.clipped), noise_about_lines(rest.clipped)});
  return std::max(noise.point, long_run);
}

/// The point at a position on the line, or the nearer one of its two neighbours where no change
/// point parts them.
std::optional<std::size_t> point_at(const TrendSeries& series, std::size_t position,
                                    const std::vector<std::uint32_t>& positions) {
  const auto after =
      std::ranges::lower_bound(series.points, position, {},
                               [&](const TrendPoint& point) { return positions[point.commit]; });
  if (after == series.points.end()) {
    return std::nullopt;
  }
  const auto next = static_cast<std::size_t>(after - series.points.begin());
  const std::size_t distance = positions[after->commit] - position;
  if (distance == 0) {
    return next;
  }
  if (next == 0 || segment_about(series, next).begin == next) {
    return std::nullopt;
  }
  const std::size_t back = position - positions[series.points[next - 1].commit];
  return back <= distance ? next - 1 : next;
}

bool is_certainly_beyond(double difference, double error, double threshold, double share) {
  const double nearest = std::abs(difference) - kNormal99 * error;
  return std::abs(difference) >= std::log1p(threshold) && nearest > std::log1p(share * threshold);
}

}  // namespace

std::vector<Drift> drifts_of(const TrendSeries& series, const std::vector<Baseline>& baselines,
                             const SearchedLine& line) {
  std::vector<Drift> drifts;
  const bool are_ratios = std::ranges::all_of(
      series.points, [](double value) { return value > 0; }, &TrendPoint::value);
  if (series.points.size() < 2 || !are_ratios) {
    return drifts;
  }
  const std::size_t end = series.points.size();
  const Stretch now{std::max(last_segment(series), end - std::min(end, kLevelPoints)), end};
  std::optional<double> noise;
  for (const Baseline& baseline : baselines) {
    const auto on_line = std::ranges::find(line.line, baseline.oid, &Revision::oid);
    const std::optional<std::size_t> point =
        point_at(series, static_cast<std::size_t>(on_line - line.line.begin()), line.positions);
    if (!point || *point + 1 >= series.points.size()) {
      continue;
    }
    const Stretch then = nearest_points(segment_about(series, *point), *point);
    if (!noise) {
      noise = level_noise(series);
    }
    const double before = level_of(series, then.begin, then.end);
    const double difference = std::log(level_of(series, now.begin, now.end) / before);
    const double error = level_error(*noise, now.size(), then.size());
    Drift& drift = drifts.emplace_back();
    drift.baseline = baseline.name;
    drift.previous = series.points[*point].commit;
    drift.commit = series.points.back().commit;
    drift.change = std::expm1(difference);
    drift.interval = Interval{std::expm1(difference - kNormal99 * error),
                              std::expm1(difference + kNormal99 * error)};
    drift.evidence = std::abs(difference) / error;
    drift.threshold = threshold_at(series.key.anchor.empty() ? before : 0, line.policy,
                                   series.key.workload, series.key.metric);
    drift.beyond =
        is_certainly_beyond(difference, error, drift.threshold, line.policy.significance_share);
    drift.worse = is_worse(series.metric, drift.change);
    drift.confirm = compare_command({line, series, drift.previous, drift.commit, drift.change});
  }
  return drifts;
}

bool is_explained_by_step(const Drift& drift, const TrendSeries& series) {
  return std::ranges::any_of(series.change_points, [&](const ChangePoint& step) {
    return stands(step.state) && step.worse == drift.worse && step.commit > drift.previous &&
           std::abs(log_change(step.change)) >= std::log1p(drift.threshold);
  });
}

}  // namespace perf

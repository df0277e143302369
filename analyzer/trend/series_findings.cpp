#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "analyzer/detector/change_points.h"
#include "analyzer/detector/levels.h"
#include "analyzer/trend/false_alarms.h"
#include "analyzer/trend/internal.h"
#include "schema/readings.h"
#include "schema/recorded_history.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr std::size_t kNearSwitch = 3;  ///< points
constexpr std::size_t kAbsence = 10;    ///< points without a machine: it is not one of several
constexpr std::size_t kShortFingerprint = 8;

/// The machine's fingerprint at a point; empty where it is not known.
std::string machine_at(const PointOrigin& point, const RecordedHistory& recorded) {
  if (point.run >= recorded.runs.size()) {
    return {};
  }
  const std::uint32_t environment = recorded.runs[point.run].environment;
  return environment < recorded.environments.size() ? recorded.environments[environment].fingerprint
                                                    : std::string();
}

/// "machine: 1f2e3d4c -> 5a6b7c8d" where the machine that a series was measured on changes within 3
/// points of the point at `index`; nullopt where it does not.
///
/// A change is where a machine comes that the 10 points before did not have, or one goes that none
/// of the 10 points after has. Machines that take turns are none: pairs are made for those.
std::optional<std::string> machine_switch_at(const std::vector<PointOrigin>& points,
                                             std::size_t index, const RecordedHistory& recorded) {
  const auto is_within = [&](const std::string& machine, std::size_t begin, std::size_t end) {
    return std::ranges::any_of(
        std::span(points).subspan(begin, end - begin),
        [&](const PointOrigin& point) { return machine_at(point, recorded) == machine; });
  };
  const std::size_t end = std::min(index + kNearSwitch + 1, points.size());
  for (std::size_t i = index > kNearSwitch ? index - kNearSwitch : 1; i < end; ++i) {
    const std::string was = machine_at(points[i - 1], recorded);
    const std::string is = machine_at(points[i], recorded);
    const bool has_gone = i + kAbsence <= points.size() && !is_within(was, i, i + kAbsence);
    if (was != is && !was.empty() && !is.empty() &&
        (has_gone || !is_within(is, i - std::min(i, kAbsence), i))) {
      return "machine: " + was.substr(0, kShortFingerprint) + " -> " +
             is.substr(0, kShortFingerprint);
    }
  }
  return std::nullopt;
}

/// Facts of the workload just before and just after a step.
std::vector<std::string> facts_about(const FoundStep& step, const MeasuredSeries& measured,
                                     const SearchedLine& line) {
  const auto declared = [&](std::size_t point) {
    const std::uint32_t declaration = measured.origins[point].declaration;
    return declaration < line.recorded.declarations.size()
               ? &line.recorded.declarations[declaration]
               : nullptr;
  };
  return facts_changed_between({step.left_begin, step.index, step.index, step.right_end}, declared);
}

/// In units of the level before it, which the detector does not know on the linear scale.
FoundStep relative_to_before(FoundStep step, const TrendSeries& series, Scale scale) {
  if (scale == Scale::log) {
    return step;
  }
  const double before = level_of(series, step.left_begin, step.index);
  const double after = level_of(series, step.index, step.right_end);
  const double change =
      after == before ? 0 : std::clamp((after - before) / std::abs(before), -kFromZero, kFromZero);
  const double unit = step.change == 0 ? 1 : change / step.change;
  step.interval = {step.interval.low * unit, step.interval.high * unit};
  step.change = change;
  return step;
}

ChangePoint change_point(const FoundStep& step, const MeasuredSeries& measured,
                         const SearchedLine& line) {
  const TrendSeries& series = measured.series;
  ChangePoint point;
  point.index = step.index;
  point.commit = series.points[step.index].commit;
  point.previous = series.points[step.previous].commit;
  point.commits = commits_between(line, point.previous, point.commit);
  point.change = step.change;
  if (std::abs(step.change) < kFromZero) {
    point.interval = step.interval;
  }
  point.before = level_of(series, step.left_begin, step.index);
  point.after = level_of(series, step.index, step.right_end);
  point.noise_before = step.noise_before;
  point.noise_after = step.noise_after;
  point.evidence = step.z;
  point.worse = is_worse(series.metric, step.change);
  point.facts = facts_about(step, measured, line);
  const std::optional<std::string> machine_switch =
      machine_switch_at(measured.origins, step.index, line.recorded);
  if (machine_switch && !series.key.anchor.empty()) {
    point.machine_switch = true;
    point.facts.push_back(*machine_switch);
  }
  point.confirm = blame_command({line, series, point.previous, point.commit, point.change});
  return point;
}

Slope slope_of(const FoundSlope& found, const TrendSeries& series, const SearchedLine& line) {
  Slope slope;
  slope.begin = found.begin;
  slope.end = found.end;
  slope.previous = series.points[found.begin].commit;
  slope.commit = series.points[found.end - 1].commit;
  slope.points = found.end - found.begin;
  slope.per_commit = found.per_point;
  slope.change = found.total;
  slope.interval = found.interval;
  slope.evidence = found.z;
  slope.worse = is_worse(series.metric, found.total);
  slope.confirm = compare_command({line, series, slope.previous, slope.commit, slope.change});
  return slope;
}

/// Not below the kernel's resolution of memory; of ratios it is not known.
bool is_resolvable(const TrendSeries& series, double before, double after) {
  return series.key.metric != kPeakRss.name || !series.key.anchor.empty() ||
         std::abs(after - before) >= kMemoryResolution;
}

}  // namespace

const std::string& oid_of(const SearchedLine& line, std::uint32_t commit) {
  return line.line[line.positions[commit]].oid;
}

int commits_between(const SearchedLine& line, std::uint32_t previous, std::uint32_t commit) {
  return static_cast<int>(line.positions[commit] - line.positions[previous]);
}

void add_steps(const std::vector<FoundStep>& found, Scale scale, const SearchedLine& line,
               const MeasuredSeries& measured, std::vector<ChangePoint>& steps) {
  for (const FoundStep& step : found) {
    ChangePoint point =
        change_point(relative_to_before(step, measured.series, scale), measured, line);
    if (is_resolvable(measured.series, point.before, point.after)) {
      steps.push_back(std::move(point));
    }
  }
}

void search(MeasuredSeries& measured, const SearchedLine& line) {
  TrendSeries& series = measured.series;
  std::vector<double> values = mapped(series.points, &TrendPoint::value);
  const Scale scale = scale_of(series);

  series.noise = series_noise(values, scale);
  const LevelFit fit = fit_levels(searched_values(values, scale), scale);
  const std::vector<FoundStep> steps = find_steps(fit, scale);
  add_steps(steps, scale, line, measured, series.change_points);
  for (ChangePoint& step : series.change_points) {
    step.false_alarms = false_alarms_as_clear(step.evidence);
  }
  series.visible_step = visible_step(fit, kSeenWithin, scale);
  for (const FoundNoiseChange& found : find_noise_changes(values, scale)) {
    series.noise_changes.push_back({found.index, series.points[found.previous].commit,
                                    series.points[found.index].commit, found.before, found.after});
  }
  add_steps(find_suspects(values, steps, scale, fit.stretches), scale, line, measured,
            series.suspects);
  if (const std::optional<FoundSlope> slope = find_slope(values, steps, scale)) {
    const double level = level_of(series, slope->begin, slope->end);
    if (is_resolvable(series, level, level * (1 + slope->total))) {
      series.trend = slope_of(*slope, series, line);
    }
  }
}

}  // namespace perf

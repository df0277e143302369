#include "analyzer/trend/series_findings.h"

#include <algorithm>
#include <optional>

#include "analyzer/detector/change_points.h"
#include "analyzer/trend/changed_facts.h"
#include "analyzer/trend/confirm_command.h"
#include "analyzer/trend/series_levels.h"
#include "analyzer/detector/series_noise.h"
#include "analyzer/detector/slope.h"
#include "analyzer/detector/suspects.h"

namespace perf {
namespace {

std::vector<const Facts*> declared(const MeasuredSeries& measured, const SearchedLine& line,
                                   std::size_t begin, std::size_t end) {
  std::vector<const Facts*> facts;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t declaration = measured.origins[i].declaration;
    if (declaration < line.recorded.declarations.size())
      facts.push_back(&line.recorded.declarations[declaration]);
  }
  return facts;
}

/// What the workload said of itself just before a step and just after it.
std::vector<std::string> facts_about(const FoundStep& step, const MeasuredSeries& measured,
                                     const SearchedLine& line) {
  const std::size_t begin = step.index > kLevelPoints ? step.index - kLevelPoints : 0;
  const std::size_t end = std::min(step.index + kLevelPoints, step.right_end);
  return changed_facts(declared(measured, line, std::max(begin, step.left_begin), step.index),
                       declared(measured, line, step.index, end));
}

ChangePoint change_point(const FoundStep& step, const MeasuredSeries& measured,
                         const SearchedLine& line) {
  const TrendSeries& series = measured.series;
  ChangePoint point;
  point.index = step.index;
  point.commit = series.points[step.index].commit;
  point.previous = series.points[step.previous].commit;
  point.commits = static_cast<int>(line.positions[point.commit] - line.positions[point.previous]);
  point.change = step.change;
  point.interval = step.interval;
  point.before = level_of(series, step.left_begin, step.index);
  point.after = level_of(series, step.index, step.right_end);
  point.noise_before = step.noise_before;
  point.noise_after = step.noise_after;
  point.worse = is_worse(series.metric, step.change);
  point.facts = facts_about(step, measured, line);
  point.confirm = blame_command({oid_of(line, point.previous), oid_of(line, point.commit),
                                 point.commits, point.change, line.size},
                                series, line.policy);
  return point;
}

Slope slope_of(const FoundSlope& found, const TrendSeries& series, const SearchedLine& line) {
  Slope slope;
  slope.begin = found.begin;
  slope.end = found.end;
  slope.per_commit = found.per_point;
  slope.total = found.total;
  slope.interval = found.interval;
  slope.worse = is_worse(series.metric, found.total);
  const TrendPoint &first = series.points[found.begin], &last = series.points[found.end - 1];
  slope.confirm =
      compare_command({oid_of(line, first.commit), oid_of(line, last.commit),
                       static_cast<int>(line.positions[last.commit] - line.positions[first.commit]),
                       slope.total, line.size},
                      series, line.policy);
  return slope;
}

}  // namespace

const std::string& oid_of(const SearchedLine& line, std::uint32_t commit) {
  return line.line[line.positions[commit]].oid;
}

void search(MeasuredSeries& measured, const SearchedLine& line) {
  TrendSeries& series = measured.series;
  std::vector<double> values;
  values.reserve(series.points.size());
  for (const TrendPoint& point : series.points)
    values.push_back(point.value);
  const bool are_ratios =
      std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
  const Scale scale = are_ratios ? Scale::log : Scale::linear;

  series.noise = series_noise(values, scale);
  const std::vector<FoundStep> steps = find_steps(values, scale);
  for (const FoundStep& step : steps)
    series.change_points.push_back(change_point(step, measured, line));
  for (const FoundStep& step : find_suspects(values, steps, scale))
    series.suspects.push_back(change_point(step, measured, line));
  if (const std::optional<FoundSlope> slope = find_slope(values, steps, scale))
    series.trend = slope_of(*slope, series, line);
}

}  // namespace perf

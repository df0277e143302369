#include "analyzer/trend/common_moves.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "schema/selection.h"

namespace perf {
namespace {

constexpr double kOfCommon = 0.5, kMostOfCommon = 2;
constexpr double kStandsAlone = 4;  ///< errors of a step of its own, the common one aside
constexpr double kErrors = 2;

/// nullopt: too few values on either side.
std::optional<SeriesMove> move_between(MeasuredSeries& measured, std::size_t begin,
                                       std::size_t index, std::size_t end) {
  if (begin + kFewestPoints > index || index + 2 > end) {
    return std::nullopt;
  }
  const double before = level_of(measured.series, begin, index);
  const double after = level_of(measured.series, index, end);
  if (!(before > 0 && after > 0)) {
    return std::nullopt;
  }
  const double error = level_error(measured.series.noise, index - begin, end - index);
  return SeriesMove{&measured, begin, index, end, std::log(after / before), error};
}

}  // namespace

std::optional<SeriesMove> move_at(MeasuredSeries& measured, const CommonStep& step) {
  const TrendPoints& points = measured.series.points;
  const auto place_of = [&](std::uint32_t commit) {
    return points.place_of(std::ranges::lower_bound(points, commit, {}, &TrendPoint::commit));
  };
  const std::size_t at = place_of(step.at);
  std::size_t begin = points.size() - std::min(points.size(), kShownPoints);  // more is not kept
  std::size_t end = place_of(step.end + 1);
  std::optional<std::size_t> misplaced;
  const std::vector<ChangePoint>& own = measured.series.change_points;
  // A step of its own that would not stand beside this one is this one, found elsewhere.
  const auto is_it = [&](std::size_t i, std::size_t from, std::size_t to) {
    const auto alone = move_between(measured, from, own[i].index, to);
    return (own[i].change > 0) == step.is_rise &&
           !(alone && std::abs(alone->shift) >= kStandsAlone * alone->error);
  };
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t index = own[i].index;
    if (begin < index && index + kNearEvent < at) {
      const bool is_last = i + 1 == own.size() || own[i + 1].index + kNearEvent >= at;
      if (is_last && is_it(i, begin, at)) {
        misplaced = i;
      } else {
        begin = index;
      }
    } else if (at + kNearEvent < index && index < end) {
      const std::size_t next = i + 1 < own.size() ? own[i + 1].index : points.size();
      if (!misplaced && is_it(i, at, next)) {
        misplaced = i;
      } else {
        end = index;
      }
    }
  }
  std::optional<SeriesMove> move = move_between(measured, begin, at, end);
  if (move) {
    move->misplaced = misplaced;
  }
  return move;
}

bool agrees(const SeriesMove& move, double common) {
  const double along = common > 0 ? move.shift : -move.shift, size = std::abs(common);
  return along >= kOfCommon * size && along <= kMostOfCommon * size + kErrors * move.error;
}

ChangePoint change_point_of(const SeriesMove& move, const SearchedLine& line) {
  const TrendSeries& series = move.measured->series;
  ChangePoint point;
  point.index = move.index;
  point.commit = series.points[move.index].commit;
  point.previous = series.points[move.index - 1].commit;
  point.commits = commits_between(line, point.previous, point.commit);
  point.change = std::expm1(move.shift);
  point.interval = Interval{std::expm1(move.shift - kNormal95 * move.error),
                            std::expm1(move.shift + kNormal95 * move.error)};
  point.before = level_of(series, move.begin, move.index);
  point.after = level_of(series, move.index, move.end);
  point.noise_before = point.noise_after = series.noise;
  point.evidence = std::abs(move.shift) / move.error;
  point.worse = is_worse(series.metric, point.change);
  point.confirm = blame_command({line, series, point.previous, point.commit, point.change});
  return point;
}

}  // namespace perf

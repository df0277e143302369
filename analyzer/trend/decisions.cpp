#include <algorithm>
#include <cstdint>
#include <iterator>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend_series.h"
#include "schema/utc_time.h"

namespace perf {
namespace {

/// What people accepted has grown when as much again has come.
constexpr double kGrownShare = 1;

/// How far a level went from another, in the direction of a change and as a share of it.
double share_gone(double from, double to, double change) {
  return log_distance(from, to) / log_change(change);
}

/// The level of the last points of [begin, end).
double last_level(const TrendSeries& series, std::size_t begin, std::size_t end) {
  return level_of(series, std::max(begin, end - std::min(end, kLevelPoints)), end);
}

bool is_contradicted(const TrendReport& report, const TrendSeries& series, const Alert& alert,
                     const AlertEvent& decision, const AlertLevel& level) {
  const std::size_t since = first_point_after(decision.at, report.commits, series.points);
  if (decision.news == AlertNews::fixed) {
    const std::size_t end = series.points.size();
    return since + kFewestPoints <= end &&
           share_gone(level.before, last_level(series, since, end), alert.change) >= kBackShare;
  }
  return level.begin + kFewestPoints <= since && since + kFewestPoints <= level.end &&
         share_gone(last_level(series, level.begin, since), last_level(series, since, level.end),
                    alert.change) >= kGrownShare;
}

}  // namespace

std::size_t first_point_after(const std::string& moment, const std::vector<Revision>& commits,
                              const TrendPoints& points) {
  const std::optional<std::int64_t> time = utc_seconds(moment);
  auto first = points.end();
  while (time && first != points.begin() &&
         commits[std::prev(first)->commit].committed_at > *time) {
    --first;
  }
  return points.place_of(first);
}

AlertState honouring(const std::optional<AlertEvent>& decision, AlertState otherwise) {
  return !decision                              ? otherwise
         : decision->news == AlertNews::ignored ? AlertState::ignored
                                                : AlertState::known;
}

AlertState state_shown_before(const TrendReport& report, const TrendSeries& series,
                              const Alert& alert, const AlertLevel& level) {
  const std::optional<AlertEvent> decision = decision_about(alert);
  return decision && is_contradicted(report, series, alert, *decision, level)
             ? AlertState::reopened
             : honouring(decision, AlertState::known);
}

}  // namespace perf

#include <algorithm>
#include <cmath>
#include <compare>
#include <set>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend_series.h"

namespace perf {
namespace {

struct Candidate {
  bool is_suspect = false;
  std::size_t distance = 0;  ///< points
  bool is_over = false;      ///< reported as recovered or withdrawn
  std::size_t step = 0, alert = 0;

  auto operator<=>(const Candidate&) const = default;
};

/// A drift that is first seen as a step is seen as a larger one elsewhere a few nights later.
constexpr std::size_t kWander = 25;  ///< points
constexpr double kLeastGrowth = 1.2, kMostGrowth = 3.5;

bool has_grown_into(const Alert& alert, const ChangePoint& step) {
  const double growth = std::abs(log_change(step.change)) / std::abs(log_change(alert.change));
  return kLeastGrowth <= growth && growth <= kMostGrowth;
}

/// Whether the ranges (previous, commit] have a commit in common.
bool overlaps(const ChangePoint& step, const Alert& alert, const CommitIndex& commits) {
  const auto previous = commits.find(alert.previous_oid), last = commits.find(alert.oid);
  return previous != commits.end() && last != commits.end() && previous->second < step.commit &&
         step.previous < last->second;
}

}  // namespace

std::size_t point_of(const TrendSeries& series, const std::string& oid,
                     const CommitIndex& commits) {
  const auto commit = commits.find(oid);
  if (commit == commits.end()) {
    return series.points.size();
  }
  const auto found =
      std::ranges::lower_bound(series.points, commit->second, {}, &TrendPoint::commit);
  const bool is_there = found != series.points.end() && found->commit == commit->second;
  return is_there ? series.points.place_of(found) : series.points.size();
}

std::vector<StepMatch> match_steps(const TrendSeries& series,
                                   const std::vector<const Alert*>& alerts,
                                   const CommitIndex& commits) {
  std::vector<Candidate> candidates;
  for (std::size_t a = 0; a < alerts.size(); ++a) {
    const Alert& alert = *alerts[a];
    const std::size_t at = point_of(series, alert.oid, commits);
    if (alert.kind != AlertKind::step || at == series.points.size()) {
      continue;
    }
    const AlertLife life = life_of(alert);
    const bool is_over = life.recovered || life.withdrawn;
    for (const bool is_suspect : {false, true}) {
      const std::vector<ChangePoint>& steps = is_suspect ? series.suspects : series.change_points;
      for (std::size_t s = 0; s < steps.size() && !(is_suspect && is_over); ++s) {
        const std::size_t distance = std::max(steps[s].index, at) - std::min(steps[s].index, at);
        if ((steps[s].change > 0) == (alert.change > 0) &&
            (distance <= kWobble || overlaps(steps[s], alert, commits) ||
             (!is_suspect && life.open() && distance <= kWander &&
              has_grown_into(alert, steps[s])))) {
          candidates.push_back({is_suspect, distance, is_over, s, a});
        }
      }
    }
  }
  std::ranges::sort(candidates);
  std::set<std::pair<bool, std::size_t>> taken_steps;
  std::set<std::size_t> taken_alerts;
  std::vector<StepMatch> matches;
  for (const Candidate& one : candidates) {
    if (!taken_alerts.contains(one.alert) &&
        taken_steps.insert({one.is_suspect, one.step}).second) {
      taken_alerts.insert(one.alert);
      matches.push_back({alerts[one.alert], one.step, one.is_suspect});
    }
  }
  return matches;
}

}  // namespace perf

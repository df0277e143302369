#include <algorithm>
#include <cstdint>
#include <iterator>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend_series.h"
#include "schema/text/fnv.h"
#include "schema/text/utc_time.h"

namespace perf {
namespace {

/// Collects the record of one report.
class Recorder {
 public:
  Recorder(const TrendReport& report, const std::string& at) : report_(report), at_(at) {}

  AlertRecord record() {
    for (const TrendSeries& series : report_.series) {
      for (const ChangePoint& step : series.change_points) {
        if (stands(step.state) || step.state == AlertState::refuted ||
            is_new_member(report_, series, step)) {
          add_step(series, step);
        }
      }
      for (const ChangePoint& suspect : series.suspects) {
        if (suspect.state == AlertState::refuted) {
          add_step(series, suspect);
        }
      }
      if (series.trend && series.trend->state == AlertState::fresh) {
        add(series, AlertKind::slope, *series.trend);
      }
      for (const Drift& drift : series.drifts) {
        if (drift.state == AlertState::fresh) {
          add(series, AlertKind::drift, drift, drift.baseline);
        }
      }
      for (const ClosedAlert& closed : series.closed) {
        add_news(closed.alert.id, closed.state == AlertState::recovered ? AlertNews::recovered
                                                                        : AlertNews::withdrawn);
      }
    }
    return std::move(record_);
  }

 private:
  const std::string& oid_of(std::uint32_t commit) const { return report_.commits[commit].oid; }
  bool ran_tonight(const std::string& run) const {
    return !run.empty() && std::ranges::find(report_.confirmations, run, &Report::id) !=
                               report_.confirmations.end();
  }

  void add_news(const std::string& id, AlertNews news, const std::string& run = {}) {
    record_.news.push_back({id, {news, at_, run}});
  }

  void add_step(const TrendSeries& series, const ChangePoint& step) {
    const bool is_shown = step.first_seen.empty() && step.state != AlertState::none;
    if (!step.remembered) {
      add(series, AlertKind::step, step, "", is_shown);
    } else if (is_shown) {
      add_news(step.alert_id, AlertNews::seen);
    }
    if (ran_tonight(step.confirmed_by)) {
      add_news(step.alert_id, AlertNews::confirmed, step.confirmed_by);
    }
    if (ran_tonight(step.refuted_by)) {
      add_news(step.alert_id, AlertNews::refuted, step.refuted_by);
    }
  }

  /// What the store does not have yet.
  void add(const TrendSeries& series, AlertKind kind, const TrendFinding& finding,
           const std::string& baseline = {}, bool is_shown = true) {
    std::vector<AlertEvent> events;
    if (is_shown) {
      events.push_back({AlertNews::seen, at_});
    }
    record_.fresh.push_back({finding.alert_id, series.key, kind, oid_of(finding.previous),
                             oid_of(finding.commit), baseline, finding.change, std::move(events)});
  }

  const TrendReport& report_;
  const std::string& at_;
  AlertRecord record_;
};

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

AlertLife life_of(const Alert& alert) {
  AlertLife life;
  for (const AlertEvent& event : alert.events) {
    if (event.news == AlertNews::seen && life.first_seen.empty()) {
      life.first_seen = event.at;
    }
    // A run without a name still counts.
    const std::string run = event.run_id.empty() ? "unknown" : event.run_id;
    if (event.news == AlertNews::confirmed || event.news == AlertNews::refuted) {
      life.confirmed_by = event.news == AlertNews::confirmed ? run : "";
      life.refuted_by = event.news == AlertNews::refuted ? run : "";
    }
    life.recovered |= event.news == AlertNews::recovered;
    life.withdrawn |= event.news == AlertNews::withdrawn;
  }
  return life;
}

std::string alert_id(const SeriesKey& series, AlertKind kind, const std::string& oid,
                     const std::string& baseline, int copy) {
  std::string text = series.workload + '\n';
  for (const auto& [name, value] : series.params) {
    text += name + '=' + to_text(value) + '\n';
  }
  for (const std::string& part :
       {series.metric, series.fingerprint, series.anchor, oid, baseline}) {
    text += part + '\n';
  }
  text += series.outside + series.host + std::string(to_string(kind)) + std::to_string(copy);
  const std::uint64_t first = fnv1a_64(text);
  return hexadecimal(first) + hexadecimal(fnv1a_64(text, first));
}

AlertRecord to_remember(const TrendReport& report, const std::string& at) {
  return Recorder(report, at).record();
}

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

AlertState state_decided(const std::optional<AlertEvent>& decision, AlertState otherwise) {
  return !decision                              ? otherwise
         : decision->news == AlertNews::ignored ? AlertState::ignored
                                                : AlertState::known;
}

AlertState state_shown_before(const TrendReport& report, const TrendSeries& series,
                              const Alert& alert, const AlertLevel& level) {
  const std::optional<AlertEvent> decision = decision_about(alert);
  return decision && is_contradicted(report, series, alert, *decision, level)
             ? AlertState::reopened
             : state_decided(decision, AlertState::known);
}

}  // namespace perf

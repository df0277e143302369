#include "analyzer/trend/alert_record.h"

#include <algorithm>

#include "analyzer/trend/alert_states.h"

namespace perf {
namespace {

/// Collects the record of one report.
class Recorder {
 public:
  Recorder(const TrendReport& report, const std::string& at) : report_(report), at_(at) {}

  AlertRecord record() {
    for (const TrendSeries& series : report_.series) {
      for (const ChangePoint& step : series.change_points) {
        if (step.state == AlertState::fresh || step.state == AlertState::refuted ||
            step.state == AlertState::known || is_new_member(report_, series, step)) {
          add_step(series, step);
        }
      }
      for (const ChangePoint& suspect : series.suspects) {
        if (suspect.state == AlertState::refuted) {
          add_step(series, suspect);
        }
      }
      if (series.trend && series.trend->state == AlertState::fresh) {
        add_slope(series, *series.trend);
      }
      for (const Drift& drift : series.drifts) {
        if (drift.state == AlertState::fresh) {
          add_drift(series, drift);
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
    return std::any_of(report_.confirmations.begin(), report_.confirmations.end(),
                       [&](const Report& one) { return one.id == run; });
  }

  void add_news(const std::string& id, AlertNews news, const std::string& run = {}) {
    record_.news.push_back({id, {news, at_, run}});
  }

  void add_step(const TrendSeries& series, const ChangePoint& step) {
    Alert alert;
    alert.id = step.alert_id;
    const bool is_shown = step.first_seen.empty() && step.state != AlertState::none;
    if (!step.remembered) {
      alert.series = series.key;
      alert.previous_oid = oid_of(step.previous);
      alert.oid = oid_of(step.commit);
      alert.change = step.change;
      if (is_shown) {
        alert.events = {{AlertNews::seen, at_}};
      }
      record_.fresh.push_back(alert);
    } else if (is_shown) {
      add_news(alert.id, AlertNews::seen);
    }
    if (!step.confirmed_by.empty() && ran_tonight(step.confirmed_by)) {
      add_news(alert.id, AlertNews::confirmed, step.confirmed_by);
    }
    if (!step.refuted_by.empty() && ran_tonight(step.refuted_by)) {
      add_news(alert.id, AlertNews::refuted, step.refuted_by);
    }
  }

  void add_slope(const TrendSeries& series, const Slope& slope) {
    Alert alert;
    alert.id = slope.alert_id;
    alert.series = series.key;
    alert.kind = AlertKind::slope;
    alert.previous_oid = oid_of(slope.first);
    alert.oid = oid_of(slope.last);
    alert.change = slope.total;
    alert.events = {{AlertNews::seen, at_}};
    record_.fresh.push_back(alert);
  }

  void add_drift(const TrendSeries& series, const Drift& drift) {
    Alert alert;
    alert.id = drift.alert_id;
    alert.series = series.key;
    alert.kind = AlertKind::drift;
    alert.previous_oid = oid_of(drift.commit);
    alert.oid = oid_of(series.points.back().commit);
    alert.baseline = drift.baseline;
    alert.change = drift.change;
    alert.events = {{AlertNews::seen, at_}};
    record_.fresh.push_back(alert);
  }

  const TrendReport& report_;
  const std::string& at_;
  AlertRecord record_;
};

}  // namespace

AlertRecord to_remember(const TrendReport& report, const std::string& at) {
  return Recorder(report, at).record();
}

}  // namespace perf

#include "analyzer/trend/alert_record.h"

#include <algorithm>
#include <cstdint>

#include "analyzer/trend/alert_states.h"
#include "schema/fnv.h"

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
        const Slope& slope = *series.trend;
        add_seen(series, AlertKind::slope, slope.alert_id, slope.first, slope.last, slope.total);
      }
      for (const Drift& drift : series.drifts) {
        if (drift.state == AlertState::fresh) {
          add_seen(series, AlertKind::drift, drift.alert_id, drift.commit,
                   series.points.back().commit, drift.change, drift.baseline);
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

  /// A slope or a drift that is seen for the first time.
  void add_seen(const TrendSeries& series, AlertKind kind, const std::string& id,
                std::uint32_t previous, std::uint32_t last, double change,
                const std::string& baseline = {}) {
    Alert alert;
    alert.id = id;
    alert.series = series.key;
    alert.kind = kind;
    alert.previous_oid = oid_of(previous);
    alert.oid = oid_of(last);
    alert.baseline = baseline;
    alert.change = change;
    alert.events = {{AlertNews::seen, at_}};
    record_.fresh.push_back(alert);
  }

  const TrendReport& report_;
  const std::string& at_;
  AlertRecord record_;
};

}  // namespace

AlertLife life_of(const Alert& alert) {
  AlertLife life;
  for (const AlertEvent& event : alert.events) {
    if (event.news == AlertNews::seen && life.first_seen.empty()) {
      life.first_seen = event.at;
    }
    // A run that nobody named still is one.
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
  text += std::string(to_string(kind)) + std::to_string(copy);
  const std::uint64_t first = fnv1a_64(text);
  return hexadecimal(first) + hexadecimal(fnv1a_64(text, first));
}

AlertRecord to_remember(const TrendReport& report, const std::string& at) {
  return Recorder(report, at).record();
}

}  // namespace perf

#include "analyzer/trend/alert_states.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analyzer/trend/internal.h"

namespace perf {
namespace {

bool is_back(double before, double now, double change) {
  return std::abs(log_distance(before, now)) < kBackShare * std::abs(log_change(change));
}

bool steps_back_after(const TrendSeries& series, std::size_t index, double change) {
  return std::ranges::any_of(series.change_points, [&](const ChangePoint& one) {
    return one.index > index && (one.change > 0) != (change > 0);
  });
}

bool is_over(const TrendSeries& series, const ChangePoint& step) {
  return steps_back_after(series, step.index, step.change) &&
         is_back(step.before, present_level(series), step.change);
}

bool is_large(const TrendReport& report, double change) {
  return !report.alert_threshold || std::abs(change) >= *report.alert_threshold;
}

/// States of one series' findings.
class SeriesStates {
 public:
  SeriesStates(TrendSeries& series, const TrendReport& report, const CommitIndex& commits,
               const std::vector<const Alert*>& alerts, const std::set<std::string>& ids)
      : series_(series),
        report_(report),
        commits_(commits),
        alerts_(alerts),
        ids_(ids),
        may_alert_(may_alert(series, report.policy)) {}

  void give() {
    give_slope();
    give_steps();
    for (Drift& drift : series_.drifts) {
      give_drift(drift);
    }
  }

 private:
  void give_steps() {
    std::set<const Alert*> matched;
    for (const StepMatch& match : match_steps(series_, alerts_, commits_)) {
      matched.insert(match.alert);
      give_remembered((match.is_suspect ? series_.suspects : series_.change_points)[match.step],
                      *match.alert);
    }
    for (ChangePoint& step : series_.change_points) {
      if (step.first_seen.empty()) {
        give_unseen(step);
      }
    }
    for (const Alert* alert : alerts_) {
      if (alert->kind == AlertKind::step && !matched.contains(alert)) {
        close_unmatched(*alert);
      }
    }
    promote_suspects(series_);  // shown before, and seen by the sooner tier only
    for (std::vector<ChangePoint>* steps : {&series_.change_points, &series_.suspects}) {
      for (ChangePoint& step : *steps) {
        if (step.alert_id.empty() && step.worse && may_alert_) {
          step.alert_id = free_id(AlertKind::step, step.commit, "");
        }
      }
    }
  }

  bool is_large(double change) const { return perf::is_large(report_, change); }

  void give_remembered(ChangePoint& step, const Alert& alert) {
    const AlertLife life = life_of(alert);
    step.alert_id = alert.id;
    step.remembered = true;
    step.decision = decision_about(alert);
    if (!life.shown()) {
      return;
    }
    step.first_seen = life.first_seen;
    step.confirmed_by = life.confirmed_by;
    step.refuted_by = life.refuted_by;
    if (life.recovered) {
      return;
    }
    if (life.refuted()) {
      step.state = AlertState::refuted;
    } else if (is_over(series_, step)) {
      close(alert, AlertState::recovered);
    } else if (may_alert_ && is_large(step.change)) {
      step.state = state_shown_before(report_, series_, alert, level_after(step, alert));
    }
  }

  /// Up to the next step, which is an alert of its own.
  AlertLevel level_after(const ChangePoint& step, const Alert& alert) const {
    const auto next =
        std::ranges::upper_bound(series_.change_points, step.index, {}, &ChangePoint::index);
    return {step.before, std::min(step.index, point_of(series_, alert.oid, commits_)),
            next == series_.change_points.end() ? series_.points.size() : next->index};
  }

  void give_unseen(ChangePoint& step) {
    if (!step.worse || !may_alert_ || !is_large(step.change) || step.machine_event ||
        step.machine_switch || is_over(series_, step)) {
      return;
    }
    if (is_part_of_slope(step)) {
      step.facts.push_back("part of the slope");
    } else {
      step.state = state_decided(step.decision, AlertState::fresh);
    }
  }

  /// Of one found tonight, or of one that was shown and that steps describe tonight. A step larger
  /// than the slope is more than that.
  bool is_part_of_slope(const ChangePoint& step) const {
    const auto is_part = [&](double total, std::size_t begin) {
      return (total > 0) == (step.change > 0) && begin <= step.index &&
             std::abs(log_change(step.change)) <= std::abs(log_change(total));
    };
    return (is_slope_shown() && is_part(series_.trend->change, series_.trend->begin)) ||
           (dormant_ != nullptr &&
            is_part(dormant_->change, point_of(series_, dormant_->previous_oid, commits_)));
  }
  /// An alert, or the machine's.
  bool is_slope_shown() const {
    return series_.trend && (series_.trend->of_machine || stands(series_.trend->state));
  }

  void close_unmatched(const Alert& alert) {
    const std::size_t at = point_of(series_, alert.oid, commits_);
    const std::size_t end = series_.points.size();
    if (!life_of(alert).open() || at == 0 || at + kFewestPoints > end) {
      return;
    }
    const double before = level_of(series_, at - std::min(at, kLevelPoints), at);
    const double shift =
        log_distance(before, level_of(series_, at, std::min(at + kLevelPoints, end)));
    const double change = log_change(alert.change);
    const bool was_there = shift * change > 0 && std::abs(shift) >= kBackShare * std::abs(change);
    const bool has_gone = is_back(before, present_level(series_), alert.change);
    close(alert, has_gone && (was_there || steps_back_after(series_, at, alert.change))
                     ? AlertState::recovered
                     : AlertState::withdrawn);
  }

  void close(const Alert& alert, AlertState state) {
    if (life_of(alert).open()) {
      series_.closed.push_back({alert, state});
    }
  }

  void give_slope() {
    const Alert* mine = nullptr;
    for (const Alert* alert : alerts_) {
      if (alert->kind != AlertKind::slope || !life_of(*alert).open()) {
        continue;
      }
      if (series_.trend && (series_.trend->change > 0) == (alert->change > 0)) {
        mine = alert;
      } else if (is_explained_by_steps(*alert)) {
        dormant_ = alert;
      } else {
        close_slope(*alert);
      }
    }
    std::optional<Slope>& slope = series_.trend;
    const bool is_blamed = slope && (mine != nullptr || !slope->of_machine);
    if (is_blamed && slope->worse && may_alert_ && is_large(slope->change)) {
      const double before =
          level_of(series_, slope->begin, std::min(slope->begin + kLevelPoints, slope->end));
      give(mine, AlertKind::slope, "", {before, slope->begin, slope->end}, *slope);
    }
  }

  /// Whether steps along what was called a slope, not all of it back, describe it better tonight.
  bool is_explained_by_steps(const Alert& alert) const {
    const std::size_t from = point_of(series_, alert.previous_oid, commits_);
    const bool any = std::ranges::any_of(series_.change_points, [&](const ChangePoint& step) {
      return step.index >= from && (step.change > 0) == (alert.change > 0);
    });
    return any && !is_back(level_of(series_, from, from + kLevelPoints), present_level(series_),
                           alert.change);
  }

  void close_slope(const Alert& alert) {
    const std::size_t from = point_of(series_, alert.previous_oid, commits_);
    const std::size_t shown = point_of(series_, alert.oid, commits_);
    if (from == series_.points.size() || shown == series_.points.size()) {
      return;
    }
    const double before = level_of(series_, from, from + kLevelPoints);
    close(alert, is_back(before, present_level(series_), alert.change) ? AlertState::recovered
                                                                       : AlertState::withdrawn);
  }

  /// An alert stays until less than half of it is left, so that a level at the threshold is not new
  /// again and again. One of a pin that was moved since is left alone.
  void give_drift(Drift& drift) {
    const Alert* mine = nullptr;
    for (const Alert* alert : alerts_) {
      const bool is_of_pin = alert->kind == AlertKind::drift && alert->baseline == drift.baseline &&
                             alert->previous_oid == oid_of(drift.previous);
      if (is_of_pin && life_of(*alert).open() && is_worse(series_.metric, alert->change)) {
        mine = alert;
      }
    }
    if (mine != nullptr && (!drift.worse || std::abs(log_change(drift.change)) <
                                                kBackShare * std::abs(log_change(mine->change)))) {
      close(*mine, AlertState::recovered);
      return;
    }
    const bool is_alert =
        mine != nullptr || (drift.beyond && drift.worse && !is_explained_by_slope(drift));
    if (is_alert && may_alert_ && is_large(drift.change) && !is_explained_by_step(drift, series_)) {
      give(mine, AlertKind::drift, drift.baseline,
           {present_level(series_) / (1 + drift.change), 0, series_.points.size()}, drift);
    }
  }

  /// A slope or a drift is an alert: as it was shown before, or new.
  void give(const Alert* mine, AlertKind kind, const std::string& baseline, const AlertLevel& level,
            TrendFinding& finding) {
    if (mine == nullptr) {
      finding.state = AlertState::fresh;
      finding.alert_id = free_id(kind, finding.commit, baseline);
      return;
    }
    finding.alert_id = mine->id;
    finding.first_seen = life_of(*mine).first_seen;
    finding.decision = decision_about(*mine);
    finding.state = state_shown_before(report_, series_, *mine, level);
  }

  /// One slow drift is one alert.
  bool is_explained_by_slope(const Drift& drift) const {
    return (is_slope_shown() && (series_.trend->change > 0) == (drift.change > 0)) ||
           (dormant_ != nullptr && (dormant_->change > 0) == (drift.change > 0));
  }

  const std::string& oid_of(std::uint32_t commit) const { return report_.commits[commit].oid; }

  std::string free_id(AlertKind kind, std::uint32_t commit, const std::string& baseline) const {
    for (int copy = 0;; ++copy) {
      std::string id = alert_id(series_.key, kind, oid_of(commit), baseline, copy);
      if (!ids_.contains(id)) {
        return id;
      }
    }
  }

  TrendSeries& series_;
  const TrendReport& report_;
  const CommitIndex& commits_;
  const std::vector<const Alert*>& alerts_;  ///< of the series
  const std::set<std::string>& ids_;         ///< of all alerts
  bool may_alert_;
  const Alert* dormant_ = nullptr;  ///< of a slope: open, though tonight steps describe it
};

/// The members of an event that changed their programs are one alert: that which was shown before,
/// else the clearest that is new.
void give_alert_of(std::size_t number, TrendReport& report) {
  const MachineEvent& event = report.machine_events[number];
  ChangePoint* clearest = nullptr;
  std::pair<bool, double> most;
  for (TrendSeries& series : report.series) {
    for (ChangePoint& step : series.change_points) {
      if (step.machine_event != number) {
        continue;
      }
      if (!step.first_seen.empty()) {
        return;
      }
      const std::pair worth(series.can_be_compared, step.evidence);
      if (is_new_member(report, series, step) && (clearest == nullptr || worth > most)) {
        clearest = &step;
        most = worth;
      }
    }
  }
  if (clearest != nullptr) {
    clearest->state = state_decided(clearest->decision, AlertState::fresh);
    clearest->false_alarms = event.false_alarms;
    clearest->facts.push_back(std::to_string(event.moved) + " of " + std::to_string(event.series) +
                              " series of the machine move there");
  }
}

/// Known is an event whose lasting worsenings were all shown before.
void give_events(TrendReport& report) {
  for (MachineEvent& event : report.machine_events) {
    event.known = true;
  }
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points) {
      if (is_new_member(report, series, step)) {
        report.machine_events[*step.machine_event].known = false;
      }
    }
  }
  for (std::size_t i = 0; i < report.machine_events.size(); ++i) {
    if (report.machine_events[i].programs_changed == true) {
      give_alert_of(i, report);
    }
  }
}

}  // namespace

void give_states(TrendReport& report, const std::vector<Alert>& alerts) {
  CommitIndex commits;
  for (std::size_t i = 0; i < report.commits.size(); ++i) {
    commits[report.commits[i].oid] = static_cast<std::uint32_t>(i);
  }
  std::set<std::string> ids;
  std::map<SeriesKey, std::vector<const Alert*>> of_series;
  for (const Alert& alert : alerts) {
    ids.insert(alert.id);
    of_series[alert.series].push_back(&alert);
  }
  for (TrendSeries& series : report.series) {
    SeriesStates(series, report, commits, of_series[series.key], ids).give();
  }
  fold_paired_alerts(report);
  give_events(report);
}

bool is_new_member(const TrendReport& report, const TrendSeries& series, const ChangePoint& step) {
  return step.machine_event && step.worse && !step.remembered && may_alert(series, report.policy) &&
         is_large(report, step.change) && !is_over(series, step);
}

}  // namespace perf

#include "reporter/trend/histories.h"

#include <algorithm>
#include <cmath>

#include "reporter/escape/visible.h"
#include "reporter/text/quantity.h"
#include "reporter/text/span_text.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {
namespace {

constexpr TextLimits kLimits{80, 160};
constexpr std::size_t kSignName = 24;    ///< columns of a name that is drawn
constexpr std::size_t kMachineName = 8;  ///< of a fingerprint
constexpr std::size_t kUnit = 12;        ///< of a unit, which may come from data
constexpr std::size_t kDays = 6;

std::string pin_name(const std::string& name) {
  return shortened(one_line(name), kSignName);
}

HistorySign pin(double position, const std::string& name, const Revision& commit) {
  return {position, pin_name(name),
          prose_text({"baseline ", reporter::name(name), ": "}, kLimits) +
              prose_text(commit_phrase(commit), kLimits)};
}

void sort_by_position(auto& things) {
  std::ranges::stable_sort(things, {}, [](const auto& one) { return one.position; });
}

}  // namespace

Histories::Histories(const TrendReport& report) : report_(report), names_(report) {
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    const TrendSeries& series = report.series[i];
    if (series.key.anchor.empty() && !series.points.empty()) {
      machines_[quantity_of(series)].push_back(i);
    }
  }
  for (auto& [quantity, group] : machines_) {
    std::ranges::stable_sort(group, [&](std::size_t a, std::size_t b) {
      return report.series[a].points.size() > report.series[b].points.size();
    });
  }
  find_pins();
  find_days();
}

Histories::Quantity Histories::quantity_of(const TrendSeries& series) {
  return {series.key.workload, params_text(series.key.params), series.metric.name,
          series.key.outside};
}

double Histories::position(std::size_t commit) const {
  return commit < report_.positions.size() ? report_.positions[commit] : 0;
}

void Histories::find_pins() {
  for (const Baseline& baseline : report_.baselines) {
    const auto commit = std::ranges::find(report_.commits, baseline.oid, &Revision::oid);
    if (commit != report_.commits.end()) {
      const auto index = static_cast<std::size_t>(commit - report_.commits.begin());
      pins_.push_back(pin(position(index), baseline.name, *commit));
    }
  }
  sort_by_position(pins_);
}

void Histories::find_days() {
  const std::size_t commits = std::min(report_.commits.size(), report_.positions.size());
  double next = 0;
  for (std::size_t i = 0; i < commits; ++i) {
    const double share = position(commits - 1) > position(0)
                             ? (position(i) - position(0)) / (position(commits - 1) - position(0))
                             : 0;
    if (share >= next) {
      const std::string day = date_of(report_.commits[i].committed_at);
      if (days_.empty() || days_.back().name != day) {
        days_.push_back({position(i), day, ""});
      }
      next = (std::floor(share * (kDays - 1)) + 1) / (kDays - 1);
    }
  }
}

std::vector<std::size_t> Histories::beside(const TrendSeries& series) const {
  const auto group = machines_.find(quantity_of(series));
  std::vector<std::size_t> others;
  if (group == machines_.end() || !series.key.anchor.empty()) {
    return others;
  }
  for (const std::size_t index : group->second) {
    if (&report_.series[index] != &series && others.size() < kBeside) {
      others.push_back(index);
    }
  }
  return others;
}

std::vector<std::size_t> Histories::events_of(const TrendSeries& series) const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < report_.machine_events.size(); ++i) {
    if (!series.key.fingerprint.empty() &&
        report_.machine_events[i].fingerprint == series.key.fingerprint) {
      indices.push_back(i);
    }
  }
  return indices;
}

HistorySpan Histories::event(std::size_t index) const {
  const MachineEvent& event = report_.machine_events[index];
  return {position(event.previous), position(event.last),
          "machine event: " + prose_text(machine_event_phrase(report_, event), kLimits)};
}

void Histories::add_points(const TrendSeries& series, std::vector<HistoryPoint>& points) const {
  for (const TrendPoint& point : series.points) {
    if (std::isfinite(point.value)) {
      points.push_back({position(point.commit), point.value});
    }
  }
}

void Histories::add_machines(const TrendSeries& series, SeriesHistory& history) const {
  const auto begins = [this](const TrendSeries& one) {
    const std::string machine =
        shortened(one_line(one.key.fingerprint.substr(0, kMachineName)), kMachineName);
    return HistorySign{position(one.points.front().commit), machine,
                       "machine " + machine + " from here on"};
  };
  for (const std::size_t index : beside(series)) {
    add_points(report_.series[index], history.beside);
    history.breaks.push_back(begins(report_.series[index]));
  }
  if (history.breaks.empty() || series.points.empty()) {
    return;
  }
  history.breaks.push_back(begins(series));
  sort_by_position(history.breaks);
  history.breaks.erase(history.breaks.begin());  // where the first one begins nothing breaks
  sort_by_position(history.beside);
}

void Histories::add_other_changes(const TrendSeries& series, SeriesHistory& history) const {
  for (const NoiseChange& change : series.noise_changes) {
    history.breaks.push_back(
        {position(change.commit), "noise " + rough_percentage(change.after),
         "noise " + prose_text(noise_change_phrase(report_, change), kLimits)});
  }
  for (const ChangePoint& tail : series.tails) {
    const std::string word = tail.worse ? "slower tail" : "faster tail";
    history.breaks.push_back({position(tail.commit), word,
                              word + " " + change_text(tail.change, tail.interval) + " " +
                                  prose_text(place_phrase(report_, tail), kLimits)});
  }
  sort_by_position(history.breaks);
}

void Histories::add_pins(const TrendSeries& series, SeriesHistory& history) const {
  history.pins = pins_;
  for (const Drift& drift : series.drifts) {  // of pins that were measured nearby only
    const std::string name = pin_name(drift.baseline);
    const bool drawn =
        std::ranges::any_of(pins_, [&](const HistorySign& one) { return one.name == name; });
    if (!drawn && drift.previous < report_.commits.size()) {
      history.pins.push_back(
          pin(position(drift.previous), drift.baseline, report_.commits[drift.previous]));
    }
  }
  sort_by_position(history.pins);
}

SeriesHistory Histories::of(const TrendSeries& series) const {
  SeriesHistory history;
  history.label = prose_text(names_.series(series), kLimits);
  history.unit = unit_of(series);
  history.noise = series.noise;
  if (!report_.positions.empty()) {
    history.first = report_.positions.front();
    history.last = report_.positions.back();
  }
  add_points(series, history.points);
  add_levels(*this, series, history);
  add_marks(*this, series, history);
  add_machines(series, history);
  add_other_changes(series, history);
  add_pins(series, history);
  for (const std::size_t index : events_of(series)) {
    history.events.push_back(event(index));
  }
  history.days = days_;
  const ValueRange range = value_range(history);
  history.scale = scale_for(range.low, range.high, history.unit);
  history.scale.suffix = shortened(visible(history.scale.suffix), kUnit);
  return history;
}

}  // namespace perf::reporter

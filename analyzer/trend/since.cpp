#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/trend/trend.h"

namespace perf {
namespace {

/// Drops what lies before a position, and the commits that nothing left speaks of.
class SinceCut {
 public:
  SinceCut(TrendReport& report, std::uint32_t position) : report_(report), position_(position) {}

  void make() {
    drop_events();
    for (TrendSeries& series : report_.series) {
      drop_in(series);
    }
    std::erase_if(report_.series, [](const TrendSeries& series) {
      return series.points.empty() && series.closed.empty();
    });
    drop_commits();
  }

 private:
  bool is_before(std::uint32_t commit) const { return report_.positions[commit] < position_; }

  void drop_events() {
    std::size_t left = 0;
    for (const MachineEvent& event : report_.machine_events) {
      event_.push_back(is_before(event.last) ? std::nullopt : std::optional(left++));
    }
    std::erase_if(report_.machine_events,
                  [&](const MachineEvent& event) { return is_before(event.last); });
  }

  void drop_steps(std::vector<ChangePoint>& steps, std::size_t dropped) {
    std::erase_if(steps, [&](const ChangePoint& step) { return is_before(step.commit); });
    for (ChangePoint& step : steps) {
      step.index -= dropped;
      if (step.machine_event) {
        step.machine_event = event_[*step.machine_event];
      }
    }
  }

  void drop_in(TrendSeries& series) {
    const auto first = std::ranges::find_if(
        series.points, [&](const TrendPoint& point) { return !is_before(point.commit); });
    const auto dropped = static_cast<std::size_t>(first - series.points.begin());
    series.points.erase(series.points.begin(), first);
    drop_steps(series.change_points, dropped);
    drop_steps(series.suspects, dropped);
    if (series.trend && series.trend->end <= dropped) {
      series.trend.reset();
    }
    if (series.trend) {
      series.trend->begin -= std::min(series.trend->begin, dropped);
      series.trend->end -= dropped;
    }
    if (series.points.empty()) {
      series.drifts.clear();
    }
  }

  /// Every index of a commit in the report.
  std::vector<std::uint32_t*> commit_indices() {
    std::vector<std::uint32_t*> indices;
    for (TrendSeries& series : report_.series) {
      for (TrendPoint& point : series.points) {
        indices.push_back(&point.commit);
      }
      for (std::vector<ChangePoint>* steps : {&series.change_points, &series.suspects}) {
        for (ChangePoint& step : *steps) {
          indices.insert(indices.end(), {&step.commit, &step.previous});
        }
      }
      if (series.trend) {
        indices.insert(indices.end(), {&series.trend->first, &series.trend->last});
      }
      for (Drift& drift : series.drifts) {
        indices.push_back(&drift.commit);
      }
    }
    for (MachineEvent& event : report_.machine_events) {
      indices.insert(indices.end(), {&event.first, &event.last, &event.previous});
    }
    return indices;
  }

  void drop_commits() {
    const std::vector<std::uint32_t*> indices = commit_indices();
    std::vector<bool> stays(report_.commits.size());
    for (const std::uint32_t* index : indices) {
      stays[*index] = true;
    }
    std::vector<std::uint32_t> moved(report_.commits.size());
    std::vector<Revision> commits;
    std::vector<std::uint32_t> positions;
    for (std::size_t i = 0; i < report_.commits.size(); ++i) {
      moved[i] = static_cast<std::uint32_t>(commits.size());
      if (stays[i]) {
        commits.push_back(std::move(report_.commits[i]));
        positions.push_back(report_.positions[i]);
      }
    }
    for (std::uint32_t* index : indices) {
      *index = moved[*index];
    }
    report_.commits = std::move(commits);
    report_.positions = std::move(positions);
  }

  TrendReport& report_;
  std::uint32_t position_;
  std::vector<std::optional<std::size_t>> event_;  ///< where each machine event is now
};

}  // namespace

TrendReport since(TrendReport report, std::uint32_t position) {
  SinceCut(report, position).make();
  return report;
}

}  // namespace perf

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/trend/trend.h"
#include "analyzer/trend/trend_series.h"

namespace perf {
namespace {

/// Drops what lies before a position, and the commits that nothing left refers to.
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
    const std::size_t dropped = series.points.place_of(first);
    series.points.drop(dropped);
    drop_steps(series.change_points, dropped);
    drop_steps(series.suspects, dropped);
    drop_steps(series.tails, dropped);
    std::erase_if(series.noise_changes,
                  [&](const NoiseChange& change) { return is_before(change.commit); });
    for (NoiseChange& change : series.noise_changes) {
      change.index -= dropped;
    }
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

  /// Uses every index of a commit in the report.
  template <class Use>
  void for_each_index_of_commit(const Use& use) {
    for (TrendSeries& series : report_.series) {
      for_each_commit(series, use);
    }
    for (MachineEvent& event : report_.machine_events) {
      use(event.first);
      use(event.last);
      use(event.previous);
    }
  }

  /// What was measured since stays: each of these commits has a point.
  void drop_commits() {
    std::vector<bool> stays(report_.commits.size());
    for (std::size_t i = 0; i < stays.size(); ++i) {
      stays[i] = report_.positions[i] >= position_;
    }
    for_each_index_of_commit([&](std::uint32_t index) { stays[index] = true; });
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
    for_each_index_of_commit([&](std::uint32_t& index) { index = moved[index]; });
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

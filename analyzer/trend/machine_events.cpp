#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analyzer/trend/internal.h"
#include "schema/selection.h"

namespace perf {
namespace {

constexpr double kLeastShare = 0.10;
constexpr std::int64_t kWeek = std::int64_t{7} * 24 * 3600;  // s
constexpr std::size_t kNightsAWeek = 7;

/// One step of one series of a machine.
struct Move {
  std::size_t series = 0;  ///< index into all series
  std::size_t step = 0;    ///< index into its change points
  std::size_t rank = 0;    ///< of its commit among those measured on the machine
  bool counts = false;     ///< of a metric that is judged
};

/// Moves of a machine that are near the first of them and in its direction.
struct Window {
  std::vector<std::size_t> moves;  ///< indices, sorted by rank; one at least
  std::size_t moved = 0;           ///< series that count
  std::size_t workloads = 0;       ///< that those are of
  std::size_t span = 0;            ///< from the first to the last, ranks
};

struct FoundEvent {
  MachineEvent event;
  std::vector<Move> members;
  std::vector<Move> suspects{};  ///< `step`: index into the suspects
};

/// What was measured under one fingerprint.
class Machine {
 public:
  Machine(const std::string& fingerprint, const MeasuredLine& measured, const SearchedLine& line)
      : fingerprint_(fingerprint),
        all_(measured.series),
        line_(line),
        commits_(measured.machines.at(fingerprint)) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const TrendSeries& one = all_[i].series;
      if (one.key.anchor.empty() && one.key.fingerprint == fingerprint &&
          may_be_the_machines(one)) {
        own_.push_back(i);
      }
    }
    add_moves();
  }

  /// Biggest first, and of those the shortest and earliest: a step that just happens to be near one
  /// end of an event does not cut off the other end.
  std::vector<FoundEvent> take_events() {
    std::vector<FoundEvent> events;
    for (const Window& as_seen : event_windows()) {
      if (taken_[as_seen.moves.front()]) {
        continue;
      }
      const Window window = window_from(as_seen.moves.front());
      if (!is_event(window)) {
        continue;
      }
      FoundEvent found;
      for (const std::size_t i : window.moves) {
        taken_[i] = true;
        found.members.push_back(moves_[i]);
      }
      if (!is_the_commits(window)) {
        found.event = event_of(window);
        events.push_back(std::move(found));
      }
    }
    add_others(events);
    return events;
  }

 private:
  const TrendSeries& series(std::size_t i) const { return all_[i].series; }
  const ChangePoint& step(const Move& move) const {
    return series(move.series).change_points[move.step];
  }
  std::int64_t time_of(std::size_t rank) const {
    return line_.line[line_.positions[commits_[rank].commit]].committed_at;
  }

  std::size_t rank_of(std::uint32_t commit) const { return perf::rank_of(commits_, commit); }
  void add_moves() {
    for (const std::size_t i : own_) {
      for (std::size_t s = 0; s < series(i).change_points.size(); ++s) {
        moves_.push_back(
            {i, s, rank_of(series(i).change_points[s].commit), may_alert(series(i), line_.policy)});
      }
    }
    std::ranges::stable_sort(moves_, {}, &Move::rank);
    taken_.resize(moves_.size());
  }

  bool is_within_week(std::size_t first, std::size_t last) const {
    return std::abs(time_of(last) - time_of(first)) < kWeek;
  }
  /// A week with more commits than nights was filled in, or is no one's calendar.
  bool is_together(std::size_t first, std::size_t last) const {
    if (last - first <= kNearEvent) {
      return true;
    }
    const std::size_t eighth = first + kNightsAWeek;
    const bool are_nights = eighth >= commits_.size() || !is_within_week(first, eighth);
    return are_nights && last < eighth && is_within_week(first, last);
  }
  /// Of those that are not taken.
  Window window_from(std::size_t first) const {
    Window window;
    std::set<std::size_t> counted;
    std::set<std::pair<std::string, Params>> workloads;
    for (std::size_t i = first; i < moves_.size(); ++i) {
      if (!is_together(moves_[first].rank, moves_[i].rank)) {
        break;
      }
      if (taken_[i] || (step(moves_[i]).change > 0) != (step(moves_[first]).change > 0)) {
        continue;
      }
      window.moves.push_back(i);
      if (moves_[i].counts) {
        counted.insert(moves_[i].series);
        workloads.insert({series(moves_[i].series).entry, series(moves_[i].series).key.params});
      }
    }
    window.moved = counted.size();
    window.workloads = workloads.size();
    window.span = moves_[window.moves.back()].rank - moves_[first].rank;
    return window;
  }
  /// Series that count and were measured before and after it.
  std::size_t series_about(const Window& window) const {
    const std::uint32_t first = commits_[moves_[window.moves.front()].rank].commit;
    const std::uint32_t last = commits_[moves_[window.moves.back()].rank].commit;
    return static_cast<std::size_t>(std::ranges::count_if(own_, [&](std::size_t i) {
      const TrendPoints& points = series(i).points;
      return may_alert(series(i), line_.policy) && points.front().commit < first &&
             points.back().commit >= last;
    }));
  }
  bool is_event(const Window& window) const {
    return window.workloads >= kFewestWorkloads &&
           static_cast<double>(window.moved) >=
               kLeastShare * static_cast<double>(series_about(window));
  }
  std::vector<Window> event_windows() const {
    std::vector<Window> windows;
    for (std::size_t first = 0; first < moves_.size(); ++first) {
      Window window = window_from(first);
      if (is_event(window)) {
        windows.push_back(std::move(window));
      }
    }
    std::ranges::stable_sort(windows, [](const Window& a, const Window& b) {
      return a.moved != b.moved ? a.moved > b.moved : a.span < b.span;
    });
    return windows;
  }

  bool is_inside(const MachineEvent& event, std::uint32_t commit) const {
    const std::size_t rank = rank_of(commit);
    return is_together(std::min(rank, rank_of(event.first)), std::max(rank, rank_of(event.last)));
  }
  /// Inside an event's window no commit is blamed: steps the other way belong to it, and steps that
  /// would be moved there.
  void add_others(std::vector<FoundEvent>& events) {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      const Move& move = moves_[i];
      const auto border = all_[move.series].moved.find(move.step);
      const auto event = std::ranges::find_if(events, [&](const FoundEvent& found) {
        return is_inside(found.event, step(move).commit) ||
               (border != all_[move.series].moved.end() &&
                is_inside(found.event, border->second.commit));
      });
      if (!taken_[i] && event != events.end()) {
        taken_[i] = true;
        event->members.push_back(move);
      }
    }
    for (const std::size_t i : own_) {
      for (std::size_t s = 0; s < series(i).suspects.size(); ++s) {
        const auto event = std::ranges::find_if(events, [&](const FoundEvent& found) {
          return is_inside(found.event, series(i).suspects[s].commit);
        });
        if (event != events.end()) {
          event->suspects.push_back({i, s});
        }
      }
    }
  }

  /// The evidence of an anchored series for a move: it steps there too, or does not, or (nullopt)
  /// was not measured there.
  std::optional<bool> also_steps(const TrendSeries& anchored, const Move& move) const {
    const SeriesKey &own = series(move.series).key, &other = anchored.key;
    if (other.anchor.empty() || quantity_of(other) != quantity_of(own)) {
      return std::nullopt;
    }
    const TrendPoints& points = anchored.points;
    const auto after = std::ranges::lower_bound(points, step(move).commit, {}, &TrendPoint::commit);
    if (after == points.begin() || after == points.end()) {
      return std::nullopt;
    }
    const std::size_t at = points.place_of(after);
    return std::ranges::any_of(anchored.change_points, [&](const ChangePoint& one) {
      return !one.machine_switch && one.index <= at + kNearEvent && at <= one.index + kNearEvent &&
             (one.change > 0) == (step(move).change > 0);
    });
  }
  /// Where pairs were measured, half of them step as well.
  bool is_the_commits(const Window& window) const {
    std::size_t asked = 0, agree = 0;
    for (const std::size_t i : window.moves) {
      for (const MeasuredSeries& other : all_) {
        const std::optional<bool> says = also_steps(other.series, moves_[i]);
        asked += says ? 1 : 0;
        agree += says == true ? 1 : 0;
      }
    }
    return asked > 0 && 2 * agree >= asked;
  }

  /// How much a comparison of it would show: nothing where it cannot be compared.
  std::pair<bool, double> worth_of(const Move& move) const {
    return {series(move.series).can_be_compared, std::abs(log_change(step(move).change))};
  }

  MachineEvent event_of(const Window& window) const {
    MachineEvent event;
    event.fingerprint = fingerprint_;
    event.moved = window.moved;
    event.series = series_about(window);
    const Move* biggest = nullptr;
    std::vector<double> changes;
    event.first = event.previous = step(moves_[window.moves.front()]).commit;
    event.last = step(moves_[window.moves.back()]).commit;
    for (const std::size_t i : window.moves) {
      event.previous = std::min(event.previous, step(moves_[i]).previous);
      if (!moves_[i].counts) {
        continue;
      }
      changes.push_back(step(moves_[i]).change);
      if (biggest == nullptr || worth_of(moves_[i]) > worth_of(*biggest)) {
        biggest = &moves_[i];
      }
    }
    event.change = median_in_place(changes);
    event.facts = machine_facts(commits_, event, line_);
    event.confirm = compare_command(
        {line_, series(biggest->series), event.previous, event.last, step(*biggest).change});
    return event;
  }

  std::string fingerprint_;
  const std::vector<MeasuredSeries>& all_;
  const SearchedLine& line_;
  const std::vector<MachineCommit>& commits_;
  std::vector<std::size_t> own_;  ///< the machine's series
  std::vector<Move> moves_;       ///< sorted by rank
  std::vector<bool> taken_;       ///< by an event, or found to be a commit's
};

}  // namespace

std::size_t rank_of(const std::vector<MachineCommit>& commits, std::uint32_t commit) {
  const auto at = std::ranges::lower_bound(commits, commit, {}, &MachineCommit::commit);
  return static_cast<std::size_t>(at - commits.begin());
}

std::vector<std::string> machine_facts(const std::vector<MachineCommit>& commits,
                                       const MachineEvent& event, const SearchedLine& line) {
  const PlacesAbout move{0, rank_of(commits, event.previous) + 1, rank_of(commits, event.last),
                         commits.size()};
  return facts_changed_between(
      move, [&](std::size_t rank) { return facts_of_run(line.recorded, commits[rank].run); });
}

bool may_be_the_machines(const TrendSeries& series) {
  const std::string& unit = series.metric.unit;
  return !series.judge || unit == kStepTime.unit || unit.ends_with("/s");
}

std::vector<MachineEvent> find_machine_events(MeasuredLine& measured, const SearchedLine& line) {
  std::vector<FoundEvent> found;
  for (const auto& [fingerprint, commits] : measured.machines) {
    std::ranges::move(Machine(fingerprint, measured, line).take_events(),
                      std::back_inserter(found));
  }
  std::ranges::stable_sort(found, {}, [](const FoundEvent& one) { return one.event.first; });
  std::vector<MachineEvent> events;
  for (const FoundEvent& one : found) {
    for (const Move& move : one.members) {
      measured.series[move.series].series.change_points[move.step].machine_event = events.size();
    }
    for (const Move& suspect : one.suspects) {
      measured.series[suspect.series].series.suspects[suspect.step].machine_event = events.size();
    }
    events.push_back(one.event);
  }
  return events;
}

}  // namespace perf

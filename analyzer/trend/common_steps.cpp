#include "analyzer/trend/common_steps.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/common_moves.h"
#include "analyzer/trend/false_alarms.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr double kAgreeing = 0.6;  ///< of the series
/// Commits of the machine: what leads back so soon is a burst.
constexpr std::size_t kNearCommon = 8;

/// Whether most members' programs are known to have changed there.
std::optional<bool> programs_changed(const std::vector<SeriesMove>& members,
                                     const MachineEvent& event) {
  std::size_t known = 0, changed = 0;
  for (const SeriesMove& member : members) {
    const std::optional<bool> one = program_changed(*member.measured, event.previous, event.last);
    known += one ? 1 : 0;
    changed += one == true ? 1 : 0;
  }
  return known == 0 ? std::nullopt : std::optional(2 * changed > known);
}

struct FoundCommon {
  MachineEvent event;
  std::vector<SeriesMove> members;
};

/// What was measured under one fingerprint, and the steps that its series share.
class CommonSearch {
 public:
  CommonSearch(MeasuredLine& measured, const SearchedLine& line, const std::string& fingerprint)
      : measured_(measured),
        line_(line),
        fingerprint_(fingerprint),
        commits_(measured.machines.at(fingerprint)) {}

  std::optional<FoundCommon> event_of(const CommonStep& step, const CommonNoise::Key& key) {
    std::vector<SeriesMove> moves;
    for (MeasuredSeries& one : measured_.series) {
      const SeriesKey& of = one.series.key;
      if (one.series.live && CommonNoise::Key{of.fingerprint, of.host, of.metric} == key &&
          is_in_common(one.series, line_.policy)) {
        if (const std::optional<SeriesMove> move = move_at(one, step)) {
          moves.push_back(*move);
        }
      }
    }
    if (moves.size() < kFewestInCommon) {
      return std::nullopt;
    }
    const double common = median(mapped(moves, &SeriesMove::shift));
    FoundCommon found;
    std::ranges::copy_if(moves, std::back_inserter(found.members),
                         [common](const SeriesMove& move) { return agrees(move, common); });
    if ((common > 0) != step.is_rise || !are_most(found.members, moves.size())) {
      return std::nullopt;
    }
    MachineEvent& event = found.event;
    event.fingerprint = fingerprint_;
    event.previous = step.previous;
    event.first = step.first;
    event.last = step.last;
    event.moved = found.members.size();
    event.series = moves.size();
    event.change = std::expm1(common);
    event.facts = machine_facts(commits_, event, line_);
    event.evidence = step.evidence;
    event.false_alarms = false_alarms_as_clear(step.evidence);
    event.programs_changed = programs_changed(found.members, event);
    const SeriesMove& clearest =
        *std::ranges::max_element(found.members, {}, [](const SeriesMove& move) {
          return std::pair(move.measured->series.can_be_compared, std::abs(move.shift));
        });
    event.confirm = compare_command(
        {line_, clearest.measured->series, event.previous, event.last, std::expm1(clearest.shift)});
    return found;
  }

  bool is_near(const MachineEvent& event, const CommonStep& step) const {
    return event.fingerprint == fingerprint_ && is_near(event, step.first, step.last, kNearCommon);
  }

  /// Steps and suspects of the machine that are as near belong to it; members without one get one.
  void join(const FoundCommon& found, std::size_t number) {
    const auto take = [&](std::vector<ChangePoint>& steps) {
      bool any = false;
      for (ChangePoint& step : steps) {
        if (step.machine_event.value_or(number) == number &&
            is_near(found.event, step.commit, step.commit, kNearEvent)) {
          step.machine_event = number;
          any = any || (step.change > 0) == (found.event.change > 0);
        }
      }
      return any;
    };
    std::set<const MeasuredSeries*> have;
    for (MeasuredSeries& one : measured_.series) {
      if (one.series.key.fingerprint == fingerprint_ && one.series.key.anchor.empty() &&
          may_be_the_machines(one.series)) {
        take(one.series.suspects);
        if (take(one.series.change_points)) {
          have.insert(&one);
        }
      }
    }
    for (const SeriesMove& member : found.members) {
      std::vector<ChangePoint>& steps = member.measured->series.change_points;
      if (member.misplaced) {
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*member.misplaced));
      }
      if (!have.contains(member.measured)) {
        const auto at = std::ranges::upper_bound(steps, member.index, {}, &ChangePoint::index);
        steps.insert(at, change_point_of(member, line_))->machine_event = number;
      }
    }
  }

 private:
  bool is_near(const MachineEvent& event, std::uint32_t first, std::uint32_t last,
               std::size_t near) const {
    const auto rank = [this](std::uint32_t commit) { return rank_of(commits_, commit); };
    return rank(event.first) <= rank(last) + near && rank(first) <= rank(event.last) + near;
  }

  static bool are_most(const std::vector<SeriesMove>& members, std::size_t all) {
    std::set<std::pair<std::string, Params>> workloads;
    for (const SeriesMove& member : members) {
      workloads.insert({member.measured->series.entry, member.measured->series.key.params});
    }
    return workloads.size() >= kFewestWorkloads &&
           static_cast<double>(members.size()) >= kAgreeing * static_cast<double>(all);
  }

  MeasuredLine& measured_;
  const SearchedLine& line_;
  const std::string& fingerprint_;
  const std::vector<MachineCommit>& commits_;
};

/// Whether an event is but what some series show of a step that more of them share.
bool is_part_of(const MachineEvent& event, const MachineEvent& common) {
  return (event.change > 0) == (common.change > 0) && event.moved < common.moved;
}

/// Oldest first; their steps are told their new numbers.
void sort_events(std::vector<MachineEvent>& events, std::vector<MeasuredSeries>& series) {
  std::vector<std::size_t> order(events.size()), place(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return events[i].first; });
  std::vector<MachineEvent> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(events[order[i]]));
  }
  events = std::move(sorted);
  for (MeasuredSeries& one : series) {
    for (std::vector<ChangePoint>* steps : {&one.series.change_points, &one.series.suspects}) {
      for (ChangePoint& step : *steps) {
        if (step.machine_event) {
          step.machine_event = place[*step.machine_event];
        }
      }
    }
  }
}

}  // namespace

void find_common_steps(MeasuredLine& measured, const SearchedLine& line, const CommonNoise& common,
                       std::vector<MachineEvent>& events) {
  for (const CommonNoise::Key& key : common.keys()) {
    CommonSearch search(measured, line, std::get<0>(key));
    std::vector<CommonNoise::Night> nights = common.nights(key);
    for (CommonNoise::Night& night : nights) {
      const auto at = std::ranges::lower_bound(line.positions, night.commit);
      night.commit = static_cast<std::uint32_t>(at - line.positions.begin());
    }
    for (const CommonStep& step : common_steps(nights)) {
      const auto near = std::ranges::find_if(
          events, [&](const MachineEvent& event) { return search.is_near(event, step); });
      const std::optional<FoundCommon> found = search.event_of(step, key);
      const std::size_t number = static_cast<std::size_t>(near - events.begin());
      if (!found || (near != events.end() && !is_part_of(*near, found->event))) {
        continue;
      }
      if (near == events.end()) {
        events.push_back(found->event);
      } else {
        *near = found->event;  // with the steps that it has
      }
      search.join(*found, number);
    }
  }
  sort_events(events, measured.series);
}

}  // namespace perf

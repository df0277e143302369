#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analyzer/detector/levels.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/internal.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// A step is moved within this share of the probability of its place; that no commit did it is
/// reported where this one holds no border.
constexpr double kMovedWithin = 0.95, kAcquittedWithin = 0.99;
constexpr double kFarthest = 9;  ///< squared deviations of a point that count

/// What lies between two neighbouring points of a series.
enum class Between { same, border, unknown };

/// A series with what its commits run.
struct PlacedSeries {
  const MeasuredSeries& measured;
  const SearchedLine& line;
  const std::vector<std::string>& ids;  ///< by position on the line
  SearchedValues values{};
  double spread = 1;

  std::size_t position(std::size_t at) const {  ///< on the line, of a searched value
    return line.positions[measured.series.points[values.position[at]].commit];
  }
  Between before(std::size_t at) const {
    const std::string &was = ids[position(at - 1)], &is = ids[position(at)];
    return was.empty() || is.empty() ? Between::unknown
           : was == is               ? Between::same
                                     : Between::border;
  }
};

/// Of the searched values, that of a point, or of the next that has one.
std::size_t searched_at(const PlacedSeries& series, std::size_t point) {
  const auto& positions = series.values.position;
  return static_cast<std::size_t>(std::ranges::lower_bound(positions, point) - positions.begin());
}

/// The border nearest to a step that cannot lie where it was found, because the program is the same
/// there; nothing where one that is not known is as near.
std::optional<std::size_t> nearest_border(const PlacedSeries& series, std::size_t step,
                                          const StepInterval& within) {
  for (std::size_t far = 1; far <= std::max(step - within.first, within.last - step); ++far) {
    std::vector<std::size_t> borders;
    for (const bool earlier : {true, false}) {
      if (earlier ? step < within.first + far : step + far > within.last) {
        continue;
      }
      const std::size_t at = earlier ? step - far : step + far;
      const Between between = series.before(at);
      if (between == Between::unknown) {
        return std::nullopt;
      }
      if (between == Between::border) {
        borders.push_back(at);
      }
    }
    if (!borders.empty()) {
      return *std::ranges::max_element(borders, {}, [&within](std::size_t at) {
        return within.weights[at - within.from];  // of two the likelier
      });
    }
  }
  return std::nullopt;
}

/// Whether every commit of the line that may have made the step is known to run one program.
bool is_one_program(const PlacedSeries& series, const StepInterval& whole) {
  const auto begin =
      series.ids.begin() + static_cast<std::ptrdiff_t>(series.position(whole.first - 1));
  const auto end =
      series.ids.begin() + static_cast<std::ptrdiff_t>(series.position(whole.last)) + 1;
  return !begin->empty() &&
         std::all_of(begin, end, [begin](const std::string& id) { return id == *begin; });
}

/// Facts of the machine, outside its fingerprint.
std::vector<std::string> changed_outside(const PlacedSeries& series, const ChangePoint& step,
                                         std::size_t begin, std::size_t end) {
  return facts_changed_between({begin, step.index, step.index, end}, [&](std::size_t point) {
    return facts_of_run(series.line.recorded, series.measured.origins[point].run);
  });
}

/// The step as it is at the border `to`.
ChangePoint moved(const PlacedSeries& series, std::size_t to, std::size_t begin, std::size_t end,
                  ChangePoint step) {
  const TrendSeries& of = series.measured.series;
  const std::size_t found = step.index;
  step.index = series.values.position[to];
  const std::size_t previous = series.values.position[to - 1];
  step.border = static_cast<int>(static_cast<std::ptrdiff_t>(step.index) -
                                 static_cast<std::ptrdiff_t>(found));
  step.commit = of.points[step.index].commit;
  step.previous = of.points[previous].commit;
  step.commits = commits_between(series.line, step.previous, step.commit);
  step.before = level_of(of, begin, step.index);
  step.after = level_of(of, step.index, end);
  step.confirm = blame_command({series.line, of, step.previous, step.commit, step.change});
  return step;
}

/// `begin`, `end`: the points between the neighbouring steps. Answers the step as it is at a border
/// that it is to be moved to.
std::optional<ChangePoint> placed(const PlacedSeries& series, std::size_t begin, std::size_t end,
                                  ChangePoint& step) {
  const std::size_t from = searched_at(series, begin), at = searched_at(series, step.index),
                    to = searched_at(series, end);
  const Between here = series.before(at);
  if (here == Between::unknown) {
    return std::nullopt;
  }
  if (here == Between::border) {
    step.border = 0;
    return std::nullopt;
  }
  const double noise = std::max({step.noise_before, step.noise_after, kLeastNoise});
  const auto within = [&](double share) {
    return step_interval(series.values.y, from, at, to, noise, series.spread, share);
  };
  if (const auto border = nearest_border(series, at, within(kMovedWithin))) {
    return moved(series, *border, begin, end, step);
  }
  if (is_one_program(series, within(kAcquittedWithin))) {
    step.same_program = true;
    step.changed_outside = changed_outside(series, step, begin, end);
    if (!step.confirm.empty()) {  // or it would measure nothing
      step.confirm += " --measure all";
    }
  }
  return std::nullopt;
}

}  // namespace

ProgramHistory::ProgramHistory(const std::vector<ProgramAt>& programs, const CommitIndex& line)
    : commits_(line.size()) {
  for (const ProgramAt& seen : programs) {
    if (const auto at = line.find(seen.oid); at != line.end()) {
      ids_[{seen.workload, seen.params, seen.outside, seen.fingerprint}][at->second] = seen.program;
    }
  }
}

const ProgramHistory::Ids* ProgramHistory::ids_of(const TrendSeries& series) const {
  const SeriesKey& key = series.key;
  const auto found = ids_.lower_bound({series.entry, key.params, key.outside, key.fingerprint});
  const auto is_ours = [&](const auto& at) {
    return at != ids_.end() && std::get<0>(at->first) == series.entry &&
           std::get<1>(at->first) == key.params && std::get<2>(at->first) == key.outside &&
           (!key.anchor.empty() || std::get<3>(at->first) == key.fingerprint);
  };
  return !is_ours(found) || (!key.anchor.empty() && is_ours(std::next(found))) ? nullptr
                                                                               : &found->second;
}

std::vector<std::string> ProgramHistory::of(const TrendSeries& series) const {
  const Ids* const known = ids_of(series);
  if (known == nullptr) {
    return {};
  }
  std::vector<std::string> ids(commits_);
  for (const auto& [position, id] : *known) {
    ids[position] = id;
  }
  return ids;
}

std::vector<ProgramChange> ProgramHistory::at_last_points(const TrendSeries& series) const {
  const Ids* const known = ids_of(series);
  if (known == nullptr) {
    return {};
  }
  const TrendPoints& points = series.points;
  std::vector<ProgramChange> changes;
  for (std::size_t i = points.size() - std::min(points.size(), kShownPoints); i < points.size();
       ++i) {
    const auto was = i == 0 ? known->end() : known->find(points[i - 1].commit);
    const auto is = known->find(points[i].commit);
    changes.push_back(was == known->end() || is == known->end() ? ProgramChange::unknown
                      : was->second == is->second               ? ProgramChange::same
                                                                : ProgramChange::changed);
  }
  return changes;
}

std::optional<bool> program_changed(const MeasuredSeries& measured, std::uint32_t previous,
                                    std::uint32_t last) {
  const TrendPoints& points = measured.series.points;
  const std::size_t first = points.size() - measured.programs.size();
  std::optional<bool> changed;
  for (std::size_t i = 0; i < measured.programs.size(); ++i) {
    const std::uint32_t commit = points[first + i].commit;
    if (commit <= previous || commit > last) {
      continue;
    }
    if (measured.programs[i] == ProgramChange::unknown) {
      return std::nullopt;
    }
    changed = changed == true || measured.programs[i] == ProgramChange::changed;
  }
  return changed;
}

StepInterval step_interval(const std::vector<double>& y, std::size_t begin, std::size_t step,
                           std::size_t end, double noise, double spread, double share) {
  const double before = median(std::vector<double>(y.begin() + static_cast<std::ptrdiff_t>(begin),
                                                   y.begin() + static_cast<std::ptrdiff_t>(step)));
  const double after = median(std::vector<double>(y.begin() + static_cast<std::ptrdiff_t>(step),
                                                  y.begin() + static_cast<std::ptrdiff_t>(end)));
  const auto cost = [noise](double distance) {
    return std::min(distance * distance / (noise * noise), kFarthest);
  };
  // By the first point after the step; the first point of all cannot be it.
  std::vector<double> weights{0};
  for (std::size_t i = begin + 1; i + 1 < end; ++i) {
    weights.push_back(weights.back() + (cost(y[i] - after) - cost(y[i] - before)) / 2);
  }
  const double most = std::ranges::max(weights);
  double sum = 0;
  for (double& weight : weights) {
    weight = std::exp((weight - most) / (spread * spread));
    sum += weight;
  }
  std::size_t first = step - begin - 1, last = first;
  for (double held = weights[first]; held < share * sum;) {
    const double earlier = first > 0 ? weights[first - 1] : -1;
    const double later = last + 1 < weights.size() ? weights[last + 1] : -1;
    if (earlier < 0 && later < 0) {
      break;
    }
    held += earlier >= later ? weights[--first] : weights[++last];
  }
  return {begin + 1 + first, begin + 1 + last, begin + 1, std::move(weights)};
}

void find_borders(MeasuredSeries& measured, const ProgramHistory& programs,
                  const SearchedLine& line) {
  TrendSeries& series = measured.series;
  if (series.change_points.empty()) {
    return;
  }
  const std::vector<std::string> ids = programs.of(series);
  if (ids.empty()) {
    return;
  }
  std::vector<double> values = mapped(series.points, &TrendPoint::value);
  PlacedSeries places{measured, line, ids, searched_values(values, scale_of(series))};
  const NoiseLevels noise = noise_levels(places.values.y);
  places.spread = std::max(1.0, noise.long_run / noise.neighbour);
  std::vector<ChangePoint>& steps = series.change_points;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : steps[i - 1].index;
    const std::size_t end = i + 1 == steps.size() ? series.points.size() : steps[i + 1].index;
    if (std::optional<ChangePoint> step = placed(places, begin, end, steps[i])) {
      measured.moved.emplace(i, std::move(*step));
    }
  }
}

void move_to_borders(MeasuredSeries& measured) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < measured.series.change_points.size(); ++i) {
    ChangePoint& step = measured.series.change_points[i];
    const auto border = measured.moved.find(i);
    if (border != measured.moved.end() && border->second.index > last && !step.machine_event) {
      step = border->second;
    }
    last = step.index;
  }
}

}  // namespace perf

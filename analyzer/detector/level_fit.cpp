#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "analyzer/detector/internal.h"
#include "analyzer/detector/levels.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

constexpr double kLeastLineZ = 5;
constexpr double kLeastRise = 0.02;  ///< over the series, relative
constexpr std::size_t kLongestBurst = 8;
/// A burst leaves less than this of its change behind.
constexpr double kLeftOfBurst = 0.5;

/// Of points between breaks of noise.
struct Levels {
  std::vector<std::size_t> clear, steps;
  NoiseStretch stretch;
  double per_point = 0;  ///< of the line that was taken away

  const NoiseLevels& noise() const { return stretch.noise; }
};

Levels levels_of(const std::vector<double>& y, Scale scale) {
  Levels found{{}, {}, {0, y.size(), noise_levels(y)}};
  const std::span<const NoiseStretch> whole(&found.stretch, 1);
  NoiseLevels& noise = found.stretch.noise;
  const Proposals proposals(noise);
  found.clear = clear_steps(y, noise, proposals, scale);
  if (!found.clear.empty()) {
    noise = noise_about_steps(std::move(noise), y, found.clear);
  }
  found.steps = verified_steps(proposals.beyond(noise), y, whole, scale, StepTest{});
  std::vector<std::size_t> placed = found.steps;
  place_steps(placed, noise.clipped);
  if (placed != found.steps) {  // and verified there
    found.steps = verified_steps(placed, y, whole, scale, StepTest{});
  }
  return found;
}

bool is_burst(std::span<const double> y, std::size_t begin, std::size_t burst, std::size_t over,
              std::size_t end) {
  const auto level = [&](std::size_t from, std::size_t to) {
    return median({y.begin() + static_cast<std::ptrdiff_t>(from),
                   y.begin() + static_cast<std::ptrdiff_t>(to)});
  };
  const double before = level(begin, burst), high = level(burst, over), after = level(over, end);
  const double change = std::min(std::abs(high - before), std::abs(high - after));
  return std::abs(after - before) < kLeftOfBurst * change;
}

/// Of a burst one step stays where the level is another one after it.
std::vector<std::size_t> without_bursts(std::vector<std::size_t> steps, std::span<const double> y,
                                        std::span<const NoiseStretch> stretches, Scale scale) {
  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i + 1 < steps.size();) {
    const std::size_t begin = i == 0 ? 0 : steps[i - 1];
    const std::size_t end = i + 2 < steps.size() ? steps[i + 2] : y.size();
    if (steps[i + 1] - steps[i] <= kLongestBurst &&
        is_burst(y, begin, steps[i], steps[i + 1], end)) {
      tested.push_back(steps[i]);
      const auto first = steps.begin() + static_cast<std::ptrdiff_t>(i);
      steps.erase(first, first + 2);
      i = i == 0 ? 0 : i - 1;  // the part before has grown
    } else {
      ++i;
    }
  }
  if (tested.empty()) {
    return steps;
  }
  std::vector<std::size_t> all = steps;
  all.insert(all.end(), tested.begin(), tested.end());
  std::ranges::sort(all);
  return verified_steps(all, y, stretches, scale, StepTest{}, steps);
}

/// The slope that the parts between cuts share, by least squares.
struct SharedSlope {
  double per_point = 0;
  double error = 0;  ///< for a noise of one
};

SharedSlope shared_slope(std::span<const double> y, const std::vector<std::size_t>& cuts) {
  const std::vector<double> rest = about_means(y, cuts);
  double products = 0, squares = 0;
  std::size_t begin = 0;
  for (std::size_t part = 0; part <= cuts.size(); ++part) {
    const std::size_t end = part < cuts.size() ? cuts[part] : y.size();
    const double middle = static_cast<double>(begin + end - 1) / 2;
    for (; begin < end; ++begin) {
      const double from_middle = static_cast<double>(begin) - middle;
      products += from_middle * rest[begin];
      squares += from_middle * from_middle;
    }
  }
  return squares > 0 ? SharedSlope{products / squares, 1 / std::sqrt(squares)} : SharedSlope{};
}

bool is_beyond(const SharedSlope& slope, double noise) {
  return std::abs(slope.per_point) > kLeastLineZ * slope.error * noise;
}

/// Levels, or levels beside a line.
Levels fitted_levels(const std::vector<double>& y, Scale scale) {
  Levels levels = levels_of(y, scale);
  const SharedSlope slope = shared_slope(levels.noise().clipped, levels.clear);
  const double points = static_cast<double>(y.size());
  if (std::abs(slope.per_point) * points < kLeastRise ||
      !is_beyond(slope, levels.noise().neighbour)) {
    return levels;
  }
  Levels beside = levels_of(less_line(y, slope.per_point), scale);
  beside.per_point = slope.per_point;
  const bool is_better = levels_criterion(beside.noise().clipped, beside.steps, 1) <
                         levels_criterion(levels.noise().clipped, levels.steps);
  return is_beyond(slope, beside.noise().long_run) && is_better ? beside : levels;
}

/// Where the level may change together with the noise: the best cut about a break.
std::size_t place_at_break(std::span<const double> clipped, std::size_t at) {
  const std::size_t begin = at - std::min(at, kNearBreak);
  const std::size_t end = std::min(at + kNearBreak, clipped.size());
  return CutFinder(end - begin, StepTest{}.fewest_points)
             .best(cumulative_sums(clipped.subspan(begin, end - begin)), 0)
             .step +
         begin;
}

}  // namespace

LevelFit fit_levels(SearchedValues series, Scale scale) {
  LevelFit fit{std::move(series), {}, {}};
  std::vector<double>& y = fit.series.y;
  std::vector<std::size_t> ends = noise_breaks(y);
  ends.push_back(y.size());
  std::set<std::size_t> steps;
  std::size_t begin = 0;
  double risen = 0;             // along the lines so far
  std::vector<double> clipped;  // of all, less the lines
  clipped.reserve(y.size());
  for (const std::size_t end : ends) {
    Levels levels = fitted_levels({y.begin() + static_cast<std::ptrdiff_t>(begin),
                                   y.begin() + static_cast<std::ptrdiff_t>(end)},
                                  scale);
    for (const std::size_t step : levels.steps) {
      steps.insert(begin + step);
    }
    for (const double one : levels.noise().clipped) {
      clipped.push_back(one - risen);
    }
    for (std::size_t i = begin; i < end; ++i, risen += levels.per_point) {
      y[i] -= risen;
    }
    fit.stretches.push_back({begin, end, std::move(levels.stretch.noise)});
    begin = end;
  }
  for (std::size_t i = 1; i < fit.stretches.size(); ++i) {
    steps.insert(place_at_break(clipped, fit.stretches[i].begin));
  }
  fit.steps.assign(steps.begin(), steps.end());
  if (fit.stretches.size() > 1) {
    fit.steps = verified_steps(fit.steps, y, fit.stretches, scale, StepTest{});
  }
  fit.steps = without_bursts(std::move(fit.steps), y, fit.stretches, scale);
  return fit;
}

}  // namespace perf

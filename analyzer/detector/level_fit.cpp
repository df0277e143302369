#include <algorithm>
#include <cmath>
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

struct Levels {
  std::vector<std::size_t> clear, steps;
  NoiseLevels noise;
};

Levels levels_of(const std::vector<double>& y, Scale scale) {
  Levels found;
  found.noise = noise_levels(y);
  NoiseLevels& noise = found.noise;
  const Proposals proposals(noise);
  found.clear = clear_steps(y, noise, proposals, scale);
  if (!found.clear.empty()) {
    noise = noise_about_steps(std::move(noise), y, found.clear);
  }
  found.steps = verified_steps(proposals.beyond(noise), y, noise, scale, StepTest{});
  place_steps(found.steps, noise.clipped);
  found.steps = verified_steps(found.steps, y, noise, scale, StepTest{});  // at their places
  return found;
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

bool is_burst(std::span<const double> y, std::size_t begin, std::size_t burst, std::size_t over,
              std::size_t end) {
  const auto level = [&](std::size_t from, std::size_t to) {
    return centre_and_spread(y.subspan(from, to - from)).centre;
  };
  const double before = level(begin, burst), high = level(burst, over), after = level(over, end);
  const double change = std::min(std::abs(high - before), std::abs(high - after));
  return std::abs(after - before) < kLeftOfBurst * change;
}

std::vector<std::size_t> without_bursts(std::vector<std::size_t> steps, std::span<const double> y) {
  for (std::size_t i = 0; i + 1 < steps.size();) {
    const std::size_t begin = i == 0 ? 0 : steps[i - 1];
    const std::size_t end = i + 2 < steps.size() ? steps[i + 2] : y.size();
    if (steps[i + 1] - steps[i] <= kLongestBurst &&
        is_burst(y, begin, steps[i], steps[i + 1], end)) {
      const auto first = steps.begin() + static_cast<std::ptrdiff_t>(i);
      steps.erase(first, first + 2);
      i = i == 0 ? 0 : i - 1;  // the part before has grown
    } else {
      ++i;
    }
  }
  return steps;
}

}  // namespace

LevelFit fit_levels(const SearchedValues& series, Scale scale) {
  LevelFit fit{series, {}, {}};
  Levels levels = levels_of(series.y, scale);
  const SharedSlope slope = shared_slope(levels.noise.clipped, levels.clear);
  const double points = static_cast<double>(series.y.size());
  if (std::abs(slope.per_point) * points >= kLeastRise &&
      is_beyond(slope, levels.noise.neighbour)) {
    std::vector<double> rest = less_line(series.y, slope.per_point);
    Levels beside = levels_of(rest, scale);
    if (is_beyond(slope, beside.noise.long_run) &&
        levels_criterion(beside.noise.clipped, beside.steps, 1) <
            levels_criterion(levels.noise.clipped, levels.steps)) {
      fit.series.y = std::move(rest);
      levels = std::move(beside);
    }
  }
  fit.steps = without_bursts(std::move(levels.steps), fit.series.y);
  fit.noise = std::move(levels.noise);
  return fit;
}

}  // namespace perf

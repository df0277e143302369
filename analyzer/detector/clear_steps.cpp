#include <algorithm>
#include <cmath>
#include <span>

#include "analyzer/detector/internal.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

constexpr double kClear = 11;
/// A level that is visited so often, for so few points, near a step from or to it, is a mode.
constexpr std::size_t kShortVisit = 12, kNearVisit = 150;
constexpr int kVisitsOfModes = 2;
constexpr double kSameLevel = 0.35;  ///< of the step

struct Level {
  std::size_t begin = 0, end = 0;
  double centre = 0;
};

std::vector<Level> levels_between(const std::vector<std::size_t>& cuts,
                                  std::span<const double> clipped) {
  std::vector<Level> levels;
  std::size_t begin = 0;
  for (std::size_t part = 0; part <= cuts.size(); ++part) {
    const std::size_t end = part < cuts.size() ? cuts[part] : clipped.size();
    const std::span<const double> level = clipped.subspan(begin, end - begin);
    levels.push_back({begin, end, median({level.begin(), level.end()})});
    begin = end;
  }
  return levels;
}

/// Whether the series goes from one of the levels beside the step `levels[i + 1].begin` to the
/// other and soon back, twice near it.
bool is_between_modes(const std::vector<Level>& levels, std::size_t i) {
  const std::size_t step = levels[i + 1].begin;
  const double before = levels[i].centre, after = levels[i + 1].centre;
  const double margin = kSameLevel * std::abs(after - before);
  const auto is_at = [&](std::size_t j, double centre) {
    return std::abs(levels[j].centre - centre) < margin;
  };
  const auto is_visit = [&](std::size_t j) {
    return levels[j].end - levels[j].begin <= kShortVisit &&
           ((is_at(j, after) && is_at(j - 1, before) && is_at(j + 1, before)) ||
            (is_at(j, before) && is_at(j - 1, after) && is_at(j + 1, after)));
  };
  int visits = 0;
  for (std::size_t j = i; j > 0 && levels[j].begin + kNearVisit >= step; --j) {
    visits += is_visit(j) ? 1 : 0;
  }
  for (std::size_t j = i + 1; j + 1 < levels.size() && levels[j].begin <= step + kNearVisit; ++j) {
    visits += is_visit(j) ? 1 : 0;
  }
  return visits >= kVisitsOfModes;
}

/// The difference of the two sides' means, in its standard errors: Student's t, but by a noise of
/// `least` at the least.
double student_t(std::span<const double> left, std::span<const double> right, double least) {
  const double l = static_cast<double>(left.size()), r = static_cast<double>(right.size());
  const double left_mean = mean(left), right_mean = mean(right);
  const double squares = squares_about(left, left_mean) + squares_about(right, right_mean);
  const double variance = std::max(least * least, squares / std::max(1.0, l + r - 2));
  return std::abs(right_mean - left_mean) / std::sqrt(variance * (1 / l + 1 / r));
}

}  // namespace

std::vector<std::size_t> clear_steps(const std::vector<double>& y, const NoiseLevels& noise,
                                     const Proposals& proposals, Scale scale) {
  const NoiseStretch independent{0, y.size(), if_independent(noise)};
  std::vector<std::size_t> cuts = verified_steps(proposals.beyond(independent.noise), y,
                                                 {&independent, 1}, scale, {.by_order = false});
  place_steps(cuts, noise.clipped);

  const std::vector<Level> levels = levels_between(cuts, noise.clipped);
  std::vector<std::size_t> clear;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : cuts[i - 1];
    const std::size_t end = i + 1 == cuts.size() ? y.size() : cuts[i + 1];
    const std::span<const double> both = std::span(noise.clipped).subspan(begin, end - begin);
    const std::size_t left = cuts[i] - begin;
    if (student_t(both.first(left), both.subspan(left), noise.neighbour) >= kClear &&
        !is_between_modes(levels, i)) {
      clear.push_back(cuts[i]);
    }
  }
  return clear;
}

}  // namespace perf

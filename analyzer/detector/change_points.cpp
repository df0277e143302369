#include "analyzer/detector/change_points.h"

#include <algorithm>
#include <cmath>

#include "analyzer/detector/internal.h"

namespace perf {
namespace {

constexpr double kInHand = 1.6;  // standard errors: the upper tenth of a normal, and the order
constexpr std::size_t kFewestOfLevel = 6;

/// A step with so many so near that are clearer by so much (of equal ones some always are a little)
/// is one of a rough history: there it is shown from so many of its standard errors on, and a small
/// one from as many more as it is smaller.
constexpr std::ptrdiff_t kStepsOfRough = 2;
constexpr double kClearer = 1.5;
constexpr std::size_t kNearSteps = 400;  ///< points
constexpr double kLeastZWhereRough = 7.5;
constexpr double kSmallWhereRough = 0.055;  ///< relative

bool is_near(const FoundStep& one, const FoundStep& other) {
  return one.index <= other.index + kNearSteps && other.index <= one.index + kNearSteps;
}

/// Those of all steps that are not lost among clearer ones.
std::vector<FoundStep> shown_of(const std::vector<FoundStep>& all) {
  std::vector<FoundStep> shown;
  auto begin = all.begin();
  for (const FoundStep& step : all) {
    const auto near = [&](const FoundStep& one) { return is_near(one, step); };
    begin = std::find_if(begin, all.end(), near);
    const auto end = std::find_if_not(begin, all.end(), near);
    const bool is_rough = std::count_if(begin, end, [&](const FoundStep& one) {
                            return one.z > kClearer * step.z;
                          }) >= kStepsOfRough;
    if (!is_rough ||
        step.z >= kLeastZWhereRough * std::max(1.0, kSmallWhereRough / std::abs(step.change))) {
      shown.push_back(step);
    }
  }
  return shown;
}

/// The least change whose z is `in_hand` beyond what it needs in a rough history.
double least_where_rough(double error, double in_hand) {
  const double needed = (kLeastZWhereRough + in_hand) * error;
  const double margin = in_hand * error;
  return needed >= kSmallWhereRough
             ? needed
             : (margin +
                std::sqrt(margin * margin + 4 * kLeastZWhereRough * kSmallWhereRough * error)) /
                   2;
}

}  // namespace

std::vector<FoundStep> find_steps(const std::vector<double>& values, Scale scale) {
  return find_steps(fit_levels(searched_values(values, scale), scale), scale);
}

std::vector<FoundStep> find_steps(const LevelFit& fit, Scale scale) {
  return shown_of(described_steps(fit.steps, fit.series, fit.stretches, scale));
}

std::optional<double> visible_step(const LevelFit& fit, std::size_t after, Scale scale) {
  const std::size_t all = fit.series.y.size();
  const NoiseStretch& last = fit.stretches.back();
  const std::size_t begin = std::max(last.begin, fit.steps.empty() ? 0 : fit.steps.back());
  const std::size_t n = all - begin;
  if (all < kFewestToShow || n < kFewestOfLevel) {
    return std::nullopt;
  }
  const std::size_t right = std::min(after, n / 2), left = n - right;
  const NoiseLevels& noise = last.noise;
  const StepTest test;
  // Behind a step the intervals that are searched begin anywhere: half of what is there is sure.
  const std::size_t searched = begin == last.begin ? left : (left + 1) / 2;
  const double of_means = noise.long_run * std::sqrt(1.0 / static_cast<double>(searched) +
                                                     1.0 / static_cast<double>(right));
  const double error = expected_error(left, right, noise);
  const bool is_rough = std::ranges::count_if(fit.steps, [&](std::size_t step) {
                          return step + kNearSteps + right >= all;
                        }) >= kStepsOfRough;
  const double difference =
      std::max({(proposal_threshold(noise) + kInHand) * of_means, (test.least_z + kInHand) * error,
                is_rough ? least_where_rough(error, kInHand) : 0});
  return std::max(test.least_change, relative_change(difference, scale));
}

}  // namespace perf

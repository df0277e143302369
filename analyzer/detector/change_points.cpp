#include "analyzer/detector/change_points.h"

#include <algorithm>
#include <cmath>

#include "analyzer/detector/level_fit.h"
#include "analyzer/detector/proposals.h"
#include "analyzer/detector/searched_values.h"
#include "analyzer/detector/step_evidence.h"

namespace perf {
namespace {

constexpr double kInHand = 1.6;  // standard errors: the upper tenth of a normal, and the order
constexpr std::size_t kFewestToShow = 20, kFewestOfLevel = 6;

}  // namespace

std::vector<FoundStep> find_steps(const std::vector<double>& values, Scale scale) {
  return find_steps(fit_levels(searched_values(values, scale), scale), scale);
}

std::vector<FoundStep> find_steps(const LevelFit& fit, Scale scale) {
  return described_steps(fit.steps, fit.series, fit.noise, scale);
}

std::optional<double> visible_step(const LevelFit& fit, std::size_t after, Scale scale) {
  const std::size_t all = fit.series.y.size();
  const std::size_t n = all - (fit.steps.empty() ? 0 : fit.steps.back());
  if (all < kFewestToShow || n < kFewestOfLevel) {
    return std::nullopt;
  }
  const std::size_t right = std::min(after, n / 2), left = n - right;
  const NoiseLevels& noise = fit.noise;
  const StepTest test;
  // Behind a step the intervals that are searched begin anywhere: half of what is there is sure.
  const std::size_t searched = fit.steps.empty() ? left : (left + 1) / 2;
  const double of_means = noise.long_run * std::sqrt(1.0 / static_cast<double>(searched) +
                                                     1.0 / static_cast<double>(right));
  const double difference = std::max((proposal_threshold(noise) + kInHand) * of_means,
                                     (test.least_z + kInHand) * expected_error(left, right, noise));
  return std::max(test.least_change, relative_change(difference, scale));
}

}  // namespace perf

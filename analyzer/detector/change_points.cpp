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
constexpr std::size_t kFewestToShow = 20;

}  // namespace

std::vector<FoundStep> find_steps(const std::vector<double>& values, Scale scale) {
  const LevelFit fit = fit_levels(searched_values(values, scale), scale);
  return described_steps(fit.steps, fit.series, fit.noise, scale);
}

std::optional<double> visible_step(const std::vector<double>& values, std::size_t after,
                                   Scale scale) {
  const SearchedValues series = searched_values(values, scale);
  const std::size_t n = series.y.size();
  if (n < kFewestToShow) {
    return std::nullopt;
  }
  const std::size_t right = std::min(after, n / 2), left = n - right;
  const NoiseLevels noise = fit_levels(series, scale).noise;
  const StepTest test;
  const double of_means = noise.long_run * std::sqrt(1.0 / static_cast<double>(left) +
                                                     1.0 / static_cast<double>(right));
  const double difference = std::max((proposal_threshold(noise) + kInHand) * of_means,
                                     (test.least_z + kInHand) * expected_error(left, right, noise));
  return std::max(test.least_change, relative_change(difference, scale));
}

}  // namespace perf

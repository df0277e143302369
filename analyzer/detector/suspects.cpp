#include "analyzer/detector/suspects.h"

#include <algorithm>
#include <cstddef>

#include "analyzer/detector/biweight_segments.h"
#include "analyzer/detector/searched_values.h"
#include "analyzer/detector/step_evidence.h"

namespace perf {
namespace {

constexpr double kLeastSuspectZ = 3;
/// One point fewer than a step needs: that is what makes this tier sooner.
constexpr std::size_t kFewestOfSegment = 2;
/// Within so many points of an accepted step it is the same one.
constexpr std::size_t kSameStep = 5;

bool is_among(const std::vector<std::size_t>& steps, std::size_t position) {
  return std::any_of(steps.begin(), steps.end(), [position](std::size_t step) {
    return step <= position + kSameStep && position <= step + kSameStep;
  });
}

/// Where in y the accepted steps are.
std::vector<std::size_t> positions_in(const SearchedValues& series,
                                      const std::vector<FoundStep>& accepted) {
  std::vector<std::size_t> steps;
  for (const FoundStep& step : accepted) {
    const auto found = std::lower_bound(series.position.begin(), series.position.end(), step.index);
    if (found != series.position.end()) {
      steps.push_back(static_cast<std::size_t>(found - series.position.begin()));
    }
  }
  return steps;
}

}  // namespace

std::vector<FoundStep> find_suspects(const std::vector<double>& values,
                                     const std::vector<FoundStep>& accepted, Scale scale) {
  const SearchedValues series = searched_values(values, scale);
  const NoiseLevels noise = noise_levels(series.y);
  const std::vector<std::size_t> settled = positions_in(series, accepted);
  std::vector<std::size_t> steps = settled;
  for (const std::size_t step : biweight_segments(series.y, noise.point)) {
    if (!is_among(settled, step)) {
      steps.push_back(step);
    }
  }
  std::sort(steps.begin(), steps.end());
  StepTest test;
  test.least_z = kLeastSuspectZ;
  test.fewest_points = kFewestOfSegment;
  steps = verified_steps(steps, series.y, noise, scale, test, settled);

  std::vector<FoundStep> suspects;
  for (const FoundStep& step : described_steps(steps, series, noise, scale)) {
    if (std::none_of(accepted.begin(), accepted.end(),
                     [&](const FoundStep& one) { return one.index == step.index; })) {
      suspects.push_back(step);
    }
  }
  return suspects;
}

}  // namespace perf

#include "analyzer/detector/change_points.h"

#include "analyzer/detector/searched_series.h"
#include "analyzer/detector/seeded_intervals.h"
#include "analyzer/detector/step_evidence.h"

namespace perf {

std::vector<FoundStep> find_steps(const std::vector<double>& values, Scale scale) {
  const SearchedSeries series = searched_series(values, scale);
  const NoiseLevels noise = noise_levels(series.y);
  std::vector<std::size_t> steps =
      verified_steps(proposed_steps(noise), series.y, noise, scale, StepTest{});
  place_steps(steps, noise.clipped);
  return described_steps(steps, series, noise, scale);
}

}  // namespace perf

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "analyzer/detector/noise_levels.h"
#include "analyzer/detector/searched_values.h"

namespace perf {

/// What two neighbouring segments of y say about a step between them.
struct StepEvidence {
  double difference = 0;                     ///< median right - median left
  double error = 0;                          ///< of the difference, one standard error
  double z = 0;                              ///< |difference| / error
  double order = 0;                          ///< order_evidence, about the medians' middle
  double noise_before = 0, noise_after = 0;  ///< 1.4826 x median distance from the median
};

/// Segments are positions in y: [begin, step) and [step, end), neither empty.
StepEvidence step_evidence(std::span<const double> y, std::size_t begin, std::size_t step,
                           std::size_t end, const NoiseLevels& noise);

/// The standard error that a step between so many points of one even noise is seen with.
double expected_error(std::size_t left, std::size_t right, const NoiseLevels& noise);

/// Which steps of a list stand the test of docs/detector.md, "Algorithm", item 4.
struct StepTest {
  double least_z = 2.8;
  double least_change = 0.01;     ///< relative
  std::size_t fewest_points = 3;  ///< on either side
  bool by_order = true;           ///< and least_order_evidence: modes are no step
};

/// Drops the weakest of the steps (positions in y, ascending) until each one left stands the test
/// against the segments between its neighbours. Those of `settled` (ascending) are never dropped.
std::vector<std::size_t> verified_steps(const std::vector<std::size_t>& steps,
                                        std::span<const double> y, const NoiseLevels& noise,
                                        Scale scale, const StepTest& test,
                                        const std::vector<std::size_t>& settled = {});

/// Moves each of the steps (positions, ascending) to where two means fit the points between its
/// neighbours best. The narrow interval that showed a step first does not know its place as well.
void place_steps(std::vector<std::size_t>& steps, std::span<const double> clipped);

/// The steps (positions in y, ascending) with all that is told of them.
std::vector<FoundStep> described_steps(const std::vector<std::size_t>& steps,
                                       const SearchedValues& series, const NoiseLevels& noise,
                                       Scale scale);

}  // namespace perf

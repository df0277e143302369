#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/detector/noise_levels.h"
#include "analyzer/detector/proposals.h"
#include "analyzer/detector/searched_values.h"

namespace perf {

/// The steps of y (positions, ascending) that are clear by what stands beside them: to be taken out
/// before the noise is told (noise_about_steps), which they would raise until it hides them.
///
/// The series is cut by the noise of neighbours alone, as if points were independent: steps and
/// modes that stay a while are told apart by nothing yet. Clear is a cut at which the means of the
/// segments on its two sides differ by 11 standard errors or more, by the deviation about those
/// means. Modes 3.5 deviations apart, as far as they get without looking like two, reach that where
/// both stay for 20 points; of those that stay for 15 on average one in 14 does. So a step is not
/// clear between two levels that the series goes between and soon back (12 points) twice within 150
/// points.
std::vector<std::size_t> clear_steps(const std::vector<double>& y, const NoiseLevels& noise,
                                     const Proposals& proposals, Scale scale);

}  // namespace perf

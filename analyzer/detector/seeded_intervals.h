#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/detector/series_noise.h"

namespace perf {

/// Where the series may step, positions in it, ascending; each the first point after the step. A
/// proposal: it is for verified_steps to test them.
///
/// Seeded intervals (Kovacs, Buehlmann, Li & Munk, Biometrika 110 (2023), 249-256) of lengths
/// n / 2^(j/2) >= 4, shifted by half; in each the best cut into two means, sides of 2 or more;
/// those beyond proposal_threshold are taken narrowest first (Baranowski, Chen & Fryzlewicz, JRSS B
/// 81 (2019), 649-672), where no taken step lies inside.
std::vector<std::size_t> proposed_steps(const NoiseLevels& noise);

/// What the difference of two means has to exceed, in its standard errors by the long-run noise:
/// c sqrt(2 ln n) (1 + (12/n)^2). The c is 1.1 where points are independent, and rises to 1.4 as
/// the long-run noise reaches twice that of neighbours: where points hang together, few blocks tell
/// their noise, and they tell too little of it. Short series tell less still: the last factor.
double proposal_threshold(const NoiseLevels& noise);

}  // namespace perf

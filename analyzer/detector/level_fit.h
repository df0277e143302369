#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/detector/noise_levels.h"
#include "analyzer/detector/searched_values.h"

namespace perf {

/// The levels that a series keeps.
struct LevelFit {
  SearchedValues series;           ///< y less the line, where levels beside a line fit better
  std::vector<std::size_t> steps;  ///< positions in y, ascending; each the first of its level
  NoiseLevels noise;               ///< of y; the long-run noise is told without the clear steps
};

/// Fits levels; or levels beside one straight line, where the series rises or falls between its
/// clear steps: by 5 standard errors or more, by the long-run noise of what that line leaves, by
/// 2 % or more in all, and to a better Schwarz criterion.
///
/// What comes and goes within 8 points is a burst and no level: both its steps are left out. At the
/// end of a series, where nobody knows yet, 3 points are one.
LevelFit fit_levels(const SearchedValues& series, Scale scale);

}  // namespace perf

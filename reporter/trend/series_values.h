#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "schema/trend.h"

namespace perf::reporter {

/// The unit of a series' values: the metric's, or, of a ratio to an anchor, none.
std::string unit_of(const TrendSeries& series);

/// About 40 points as block characters: the last ones, or, where a step lies further back, those
/// around it. Cut to the levels of before and after +- 4 of the noise, so that the step is seen and
/// no outlier hides it.
std::string history_line(const TrendSeries& series, const ChangePoint* around = nullptr);

/// Median of the last points, at most 10; of those after the last change point. nullopt: no points.
std::optional<double> present_level(const TrendSeries& series);

/// Of the points [begin, end) that are numbers; nullopt: there are none.
std::optional<double> median_of(const TrendSeries& series, std::size_t begin, std::size_t end);

}  // namespace perf::reporter

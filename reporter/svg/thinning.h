#pragma once

#include <vector>

#include "reporter/svg/drawing.h"

namespace perf::reporter::svg {

/// What is left of the points when those of one column of a picture are drawn as one: for each
/// column of this width a stroke from its lowest to its highest point, in several pieces where
/// neighbours are more than `apart` units apart, so that no outlier is lost, none is tied to the
/// rest, and dense points show as the band that they are. A column with one point keeps it as it
/// is. The points must be sorted by x. After U. Jugel et al., "M4: A Visualization-Oriented Time
/// Series Data Aggregation", VLDB 2014, without its first and last, which only lines need.
std::vector<Stroke> thinned(const std::vector<Point>& points, double column, double apart);

}  // namespace perf::reporter::svg

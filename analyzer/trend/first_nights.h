#pragma once

#include <cstddef>
#include <optional>

#include "analyzer/trend/trend_series.h"
#include "schema/recorded_history.h"
#include "schema/trend.h"

namespace perf {

/// How many points a series must have before a step of a relative size four points from its end is
/// found four times in five, in independent normal noise of this relative standard deviation: the
/// detector itself is asked, with a fixed seed. 0: not within 100 points.
std::size_t points_wanted(double noise, double change);

/// The smallest relative step that is found as often as that in so many points, four of them after
/// it or half of them: the detector is asked again. nullopt: none, the points are too few.
std::optional<double> findable_step(double noise, std::size_t points);

/// Says which steps can be found in a series of the usual length and noise (of those that may alert
/// and are still measured: the medians), now and in 7 nights, as long as it has 3 points or more
/// and visible_step is not known. The noise gets an allowance of 1 + 2 / sqrt(m), for m points of
/// all these series.
void add_first_nights(TrendReport& report, const MeasuredLine& measured,
                      const RecordedHistory& recorded);

}  // namespace perf

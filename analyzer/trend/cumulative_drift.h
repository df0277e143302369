#pragma once

#include <vector>

#include "analyzer/trend/series_findings.h"
#include "schema/trend.h"

namespace perf {

/// Where a series stands against the pinned baselines, by name; none for a baseline that is not on
/// the line, has no measured commit after it, or was measured neither itself nor within a stretch
/// without a change point.
///
/// The present level is the median of the last 10 points at most of the last segment; the
/// baseline's that of the 10 at most of its segment that are nearest to it. Their difference errs
/// by 1.2533 level_noise sqrt(1/n + 1/m) in logarithms: the standard error of two medians. The
/// interval is 99 %. `beyond`: the estimate is beyond the policy's threshold, and the interval
/// beyond significance_share of it.
/// Where a value is not positive there is no ratio, and no drift.
std::vector<Drift> drifts_of(const TrendSeries& series, const std::vector<Baseline>& baselines,
                             const SearchedLine& line);

/// Whether a step of the series, itself an alert and beyond the threshold, lies between the
/// baseline and now: then the drift is no second alert.
bool is_explained_by_step(const Drift& drift, const TrendSeries& series);

}  // namespace perf

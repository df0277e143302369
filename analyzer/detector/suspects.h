#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/detector/change_points.h"

namespace perf {

/// The positions at which the level of `y` changes, ascending, each the first of its new level,
/// that make the sum over points of min(((y - level) / noise)^2, 9) plus 3 ln n for each change
/// least, over all ways to place levels and changes. A lone outlier costs 9 at most and so buys no
/// level.
///
/// Exact, by functional pruning: Fearnhead & Rigaill, "Changepoint detection in the presence of
/// outliers", JASA 114 (2019), 169-183 (the biweight loss, algorithm R-FPOP). The y must be finite.
std::vector<std::size_t> biweight_segments(std::span<const double> y, double noise);

/// Steps that the cheaper, sooner tier sees and `accepted`, the result of find_steps on the same
/// values, does not contain: worth an A/B run, not an alert. In order.
std::vector<FoundStep> find_suspects(const std::vector<double>& values,
                                     const std::vector<FoundStep>& accepted,
                                     Scale scale = Scale::log);

}  // namespace perf

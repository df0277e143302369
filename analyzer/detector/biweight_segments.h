#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perf {

/// The positions at which the level of `y` changes, ascending, each the first of its new level,
/// that make the sum over points of min(((y - level) / noise)^2, 9) plus 3 ln n for each change
/// least, over all ways to place levels and changes. A lone outlier costs 9 at most and so buys no
/// level.
///
/// Exact, by functional pruning: Fearnhead & Rigaill, "Changepoint detection in the presence of
/// outliers", JASA 114 (2019), 169-183 (the biweight loss, algorithm R-FPOP). The y must be finite.
std::vector<std::size_t> biweight_segments(std::span<const double> y, double noise);

}  // namespace perf

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reporter/svg/ratio_lines.h"

namespace perf::reporter::svg {

constexpr std::size_t kMostRatioLines = 6;  ///< of one picture, which has as many colours

/// Sets of lines for one picture each: of one parameter and one metric.
std::vector<std::vector<RatioLine>> ratio_sets(const std::vector<Comparison>& comparisons);

/// head/base of the lines over the sizes, with their intervals; both axes are logarithmic where
/// they span more than a decade. Empty where there are no lines.
std::string ratio_picture(const std::vector<RatioLine>& lines);

}  // namespace perf::reporter::svg

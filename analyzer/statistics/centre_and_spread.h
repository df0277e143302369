#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perf {

/// 1 / the upper quartile of a standard normal: a normal's deviation per median distance.
inline constexpr double kNormalDeviations = 1.4826;
/// A normal's deviation per mean distance, sqrt(pi / 2).
inline constexpr double kNormalMeanDistances = 1.2533;
/// The standard error of a median of normal values in units of that of their mean: that number,
/// too.
inline constexpr double kMedianError = kNormalMeanDistances;
/// Half the width of a 95 % interval of a normal estimate, in standard errors.
inline constexpr double kNormal95 = 1.96;

/// median_in_place() of a copy.
double median(std::vector<double> values);

/// The mean of at least one value, and the sum of squared distances from a centre.
double mean(std::span<const double> values);
double squares_about(std::span<const double> values, double centre);
/// The sum over neighbours of the products of their distances from a centre.
double products_about(std::span<const double> values, double centre);

/// How far each of two or more values lies from the median of the others.
std::vector<double> distances_from_others(std::span<const double> values);

/// Of some values: their median, and 1.4826 x the median distance from it.
struct CentreAndSpread {
  double centre = 0;
  double spread = 0;
  std::size_t count = 0;
};
CentreAndSpread centre_and_spread(std::span<const double> values);

/// ln of a ratio that has a zero (or nothing a double can hold) on one side. Finite, so that such a
/// pair ranks beyond every real change and the rule needs no second path.
inline constexpr double kZeroSide = 700;
/// Beyond a factor of e^100 an estimate is made of zero sides, and no number describes it.
inline constexpr double kUnbounded = 100;

/// d = ln(head) - ln(base), the paired difference everything is decided on. Two zeros: 0; a zero on
/// one side: -+kZeroSide. Nothing for negative or non-finite values, which have no ratio.
std::optional<double> log_ratio(double base, double head);

/// head/base - 1 for a difference of logarithms: -1 for "to zero", nothing for "from zero".
std::optional<double> relative_change(double log_difference);

}  // namespace perf

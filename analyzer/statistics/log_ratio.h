#pragma once

#include <optional>

namespace perf {

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

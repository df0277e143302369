#pragma once

#include <optional>
#include <span>

namespace perf {

/// How the level of a session moved from its first pair to its last.
struct Drift {
  double size = 0;     ///< ln, Theil-Sen slope times the length of the session
  double p_value = 1;  ///< two-sided, Mann-Kendall
};

/// The trend of values in the order they were measured; nothing where there are fewer than three.
/// Slope: the median of all pairwise slopes, Sen, "Estimates of the regression coefficient based on
/// Kendall's tau", JASA 63 (1968), 1379-1389. Test: Mann, "Nonparametric tests against trend",
/// Econometrica 13 (1945), 245-259, by the normal approximation with continuity correction and the
/// variance corrected for ties (Hollander & Wolfe, section 8.1); its tails are heavier than the
/// exact ones, so that it errs on the side of silence. The values must be finite.
std::optional<Drift> session_drift(std::span<const double> values);

}  // namespace perf

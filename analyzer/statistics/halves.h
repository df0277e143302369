#pragma once

#include <optional>
#include <span>

namespace perf {

/// How much later values exceed earlier ones.
struct HalvesShift {
  double first = 0, second = 0;  ///< Hodges-Lehmann of each half
  double shift = 0;              ///< the median of all differences second - first
  double low = 0, high = 0;      ///< exact Mann-Whitney interval of the shift
};

/// The shift between the halves of a session's values, in the order they were measured; of an odd
/// number the middle one belongs to the second half. The interval misses the shift of independent
/// values of one distribution with probability at most `level`. Nothing where so few values bear no
/// such interval. The values must be finite.
/// Hodges & Lehmann, Ann. Math. Statist. 34 (1963), 598-611; Hollander & Wolfe, section 4.3.
std::optional<HalvesShift> halves_shift(std::span<const double> values, double level);

}  // namespace perf

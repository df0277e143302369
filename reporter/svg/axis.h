#pragma once

#include <string>
#include <vector>

namespace perf::reporter::svg {

/// How values become coordinates along one direction of a picture.
struct Axis {
  double low = 0, high = 1;  ///< values at the ends, low < high; logarithmic: low > 0
  double from = 0, to = 1;   ///< their coordinates
  bool logarithmic = false;

  double at(double value) const;
  /// The same, but what lies beyond an end stands there.
  double within(double value) const;
};

/// Whether a value is a number of a size that an axis can hold: a scale may multiply it, and two
/// may be added.
bool is_drawable(double value);

/// A linear axis from `low` to `high`, widened a little so that nothing lies on its border, and
/// where both are one value.
Axis axis_around(double low, double high, double from, double to);

/// A logarithmic axis, widened a little; both must be positive.
Axis log_axis_around(double low, double high, double from, double to);

/// An axis around most of these: what lies far from the others does not press them together. The
/// rest is beyond its ends. What is not finite counts for nothing; without values it is 0 to 1.
Axis axis_around_most(std::vector<double> values, double from, double to);

/// Round values within the axis, about so many: 1, 2 or 5 times a power of ten (P. Heckbert, "Nice
/// Numbers for Graph Labels", Graphics Gems (1990)); of a logarithmic axis 1, 2 and 5 of a decade.
std::vector<double> ticks(const Axis& axis, int about);

/// A tick's number with the decimals that tell these ticks apart: "0", "0.5", "1"; very large and
/// very small ones as "1e+12".
std::string tick_text(double value, const std::vector<double>& ticks);

}  // namespace perf::reporter::svg

#include <algorithm>
#include <cmath>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {

std::optional<double> log_ratio(double base, double head) {
  if (!std::isfinite(base) || !std::isfinite(head) || base < 0 || head < 0) {
    return std::nullopt;
  }
  if (base == head) {
    return 0.0;  // two zeros among them
  }
  if (base == 0 || head == 0) {
    return base == 0 ? kZeroSide : -kZeroSide;
  }
  return std::clamp(std::log(head) - std::log(base), -kZeroSide, kZeroSide);
}

std::optional<double> relative_change(double log_difference) {
  if (log_difference > kUnbounded) {
    return std::nullopt;
  }
  if (log_difference < -kUnbounded) {
    return -1.0;
  }
  return std::expm1(log_difference);
}

}  // namespace perf

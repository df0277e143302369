#pragma once

#include <cmath>
#include <cstddef>

namespace perf::workloads {

/// max |got - want| / max |want|: one wrong value among millions shows, and NaN stays NaN, so that
/// a check on it fails. 0 for two empty arrays.
template <class Got, class Want>
double largest_relative_error(const Got* got, const Want* want, std::size_t count) {
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = std::abs(static_cast<double>(got[i]) - static_cast<double>(want[i]));
    if (!(difference <= worst)) {
      worst = difference;  // NaN compares false and so is kept
    }
    if (std::isnan(worst)) {
      return worst;
    }
    scale = std::fmax(scale, std::abs(static_cast<double>(want[i])));
  }
  return worst == 0 ? 0 : worst / scale;
}

/// Whether `error` is larger than the worst so far; NaN, which compares false with everything,
/// counts as larger than all.
inline bool is_worse(double error, double worst) {
  return !(error <= worst || std::isnan(worst));
}

inline void keep_worse(double& worst, double error) {
  if (is_worse(error, worst)) {
    worst = error;
  }
}

}  // namespace perf::workloads

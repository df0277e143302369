#include "workloads/quantization/expected_noise.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

namespace {

// In standard deviations: the sum of four uniforms on (-s/2, s/2) has variance s^2 / 3.
const double kWidth = std::sqrt(3.0);
const double kLargest = 2 * kWidth;

// Density of the sum of four uniforms of width 1 about 0: Irwin and Hall's, of order 4. With
// y = x + 2: y^3 / 6 below 1, and (-3 y^3 + 12 y^2 - 12 y + 4) / 6 below 2; symmetric.
double density(double x) {
  const double y = 2 - std::abs(x) / kWidth;
  if (y <= 0) {
    return 0;
  }
  if (y < 1) {
    return y * y * y / 6 / kWidth;
  }
  return (((-3 * y + 12) * y - 12) * y + 4) / 6 / kWidth;
}

// Of a magnitude: the integral of twice the density from 0 to x.
double magnitude_distribution(double x) {
  const double y = 2 - std::min(x, kLargest) / kWidth;  // from 2 down to 0
  if (y < 1) {
    return 1 - y * y * y * y / 12;
  }
  const auto integral = [](double z) { return (((-0.75 * z + 4) * z - 6) * z + 4) * z / 3; };
  return 1 - 1.0 / 12 - (integral(y) - integral(1));
}

// x (in units of the scale) after it became its nearest code.
double nearest_level(CodeType type, double x) {
  if (type == CodeType::nf4) {
    double nearest = kNf4Levels[0];
    for (const double level : kNf4Levels) {
      nearest = std::abs(x - level) < std::abs(x - nearest) ? level : nearest;
    }
    return nearest;
  }
  const double half = static_cast<double>(1 << (bits_of(type) - 1));
  return std::clamp(std::nearbyint(x), type == CodeType::int8 ? 1 - half : -half, half - 1);
}

// m in units of the scale, from the definition of the types and not from the kernels, which this
// is held against; int4 and int2 have the sign that makes it the lowest code.
double largest_level(CodeType type) {
  switch (type) {
    case CodeType::int8:
      return 127;
    case CodeType::int4:
      return -8;
    case CodeType::int2:
      return -2;
    case CodeType::nf4:
      break;
  }
  return 1;
}

// Of a value below m, in variances.
double noise_below(CodeType type, double m) {
  constexpr int kSteps = 2048;  // eight to a level of int8
  const double scale = m / std::abs(largest_level(type));
  double noise = 0, weight = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double x = m * ((i + 0.5) * 2 / kSteps - 1);
    const double off = (x / scale - nearest_level(type, x / scale)) * scale;
    noise += density(x) * off * off;
    weight += density(x);
  }
  return noise / weight;
}

// The magnitude of which a share p lies below.
double quantile(double p) {
  double low = 0, high = kLargest;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (magnitude_distribution(middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Mean noise of n values that share a scale: over equally probable m.
double group_noise(CodeType type, double n) {
  constexpr int kSteps = 64;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    sum += noise_below(type, quantile(std::pow((i + 0.5) / kSteps, 1 / n)));
  }
  return sum / kSteps * (n - 1) / n;
}

// Values in groups of each size.
std::map<std::size_t, double> values_by_group(const TensorSource& source, const Scheme& scheme) {
  std::map<std::size_t, double> values;
  for (const Tensor& tensor : source.tensors()) {
    const std::size_t group = scheme.group == 0 ? tensor.columns : scheme.group;
    const std::size_t rest = tensor.columns % group;
    values[group] += static_cast<double>(tensor.rows * (tensor.columns - rest));
    if (rest > 0) {
      values[rest] += static_cast<double>(tensor.rows * rest);
    }
  }
  return values;
}

}  // namespace

double expected_signal_to_noise(const TensorSource& source, const Scheme& scheme) {
  double noise = 0, all = 0;
  for (const auto& [group, values] : values_by_group(source, scheme)) {
    if (values == 0) {
      continue;
    }
    noise += values * group_noise(scheme.type, static_cast<double>(group));
    all += values;
  }
  return 10 * std::log10(all / noise);
}

double expected_signal_to_noise_band(const TensorSource& source, const Scheme& scheme) {
  double groups = 0;
  for (const auto& [group, values] : values_by_group(source, scheme)) {
    groups += values / static_cast<double>(group);
  }
  return 0.25 + 10 * std::log10(1 + 5 / std::sqrt(groups));
}

}  // namespace perf::workloads

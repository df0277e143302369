#include <algorithm>
#include <cmath>

#include "analyzer/detector/levels.h"
#include "schema/selection.h"

namespace perf {
namespace {

/// What 1 means on the linear scale; 1 for a series of zeros.
double linear_unit(const std::vector<double>& values) {
  std::vector<double> sizes;
  sizes.reserve(values.size());
  for (const double value : values) {
    sizes.push_back(std::abs(value));
  }
  const double all = median_in_place(sizes);
  if (all > 0) {
    return all;
  }
  std::erase(sizes, 0.0);
  return sizes.empty() ? 1 : median_in_place(sizes);
}

/// A level has so many points (docs/detector.md, "Algorithm", item 4).
constexpr std::size_t kLeastLevel = 3;

}  // namespace

Scale suited_scale(const std::vector<double>& values) {
  std::size_t positive = 0, others = 0, in_a_row = 0;
  bool has_level = false;
  for (const double value : values) {
    if (std::isfinite(value)) {
      in_a_row = value > 0 ? 0 : in_a_row + 1;
      ++(value > 0 ? positive : others);
      has_level = has_level || in_a_row >= kLeastLevel;
    }
  }
  return has_level || positive <= others ? Scale::linear : Scale::log;
}

SearchedValues searched_values(const std::vector<double>& values, Scale scale) {
  SearchedValues series;
  series.y.reserve(values.size());
  series.position.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || (scale == Scale::log && !(values[i] > 0))) {
      continue;
    }
    series.y.push_back(scale == Scale::log ? std::log(values[i]) : values[i]);
    series.position.push_back(i);
  }
  if (scale == Scale::linear) {
    const double unit = linear_unit(series.y);
    for (double& y : series.y) {
      y = std::clamp(y / unit, -kLargestRatio, kLargestRatio);
    }
  }
  return series;
}

double relative_change(double difference, Scale scale) {
  return scale == Scale::log ? std::expm1(difference) : difference;
}

}  // namespace perf

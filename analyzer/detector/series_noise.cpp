#include "analyzer/detector/series_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "analyzer/detector/centre_and_spread.h"
#include "analyzer/detector/long_run_noise.h"
#include "analyzer/detector/searched_series.h"

namespace perf {
namespace {

constexpr std::size_t kFarthestNeighbour = 4;
constexpr std::size_t kWindow = 7;
constexpr double kClip = 3;

/// The deviation of one y, told by differences over `distance` points.
double noise_at(std::span<const double> y, std::size_t distance, std::vector<double>& scratch) {
  if (y.size() <= distance) {
    return kLeastNoise;
  }
  scratch.resize(y.size() - distance);
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    scratch[i] = std::abs(y[i + distance] - y[i]);
  }
  return std::max(kLeastNoise, kNormalDeviations * median_in_place(scratch) / std::sqrt(2.0));
}

double point_noise(std::span<const double> y) {
  std::vector<double> scratch;
  double noise = kLeastNoise;
  for (std::size_t distance = 1; distance <= kFarthestNeighbour; ++distance) {
    noise = std::max(noise, noise_at(y, distance, scratch));
  }
  return noise;
}

/// The median of the 7 points about i, at the ends of the first or last 7.
double running_median(std::span<const double> y, std::size_t i) {
  std::array<double, kWindow> window{};
  const std::size_t count = std::min(kWindow, y.size());
  const std::size_t begin = std::min(i > kWindow / 2 ? i - kWindow / 2 : 0, y.size() - count);
  std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(begin), count, window.begin());
  return median_in_place(std::span(window).first(count));
}

std::vector<double> clip(std::span<const double> y, double noise) {
  std::vector<double> clipped(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double middle = running_median(y, i);
    clipped[i] = std::clamp(y[i], middle - kClip * noise, middle + kClip * noise);
  }
  return clipped;
}

}  // namespace

NoiseLevels noise_levels(std::span<const double> y) {
  std::vector<double> scratch;
  NoiseLevels noise;
  noise.point = point_noise(y);
  noise.clipped = clip(y, noise.point);
  noise.neighbour = noise_at(noise.clipped, 1, scratch);
  noise.long_run = long_run_noise(noise.clipped, noise.neighbour);
  return noise;
}

double series_noise(const std::vector<double>& values, Scale scale) {
  return point_noise(searched_series(values, scale).y);
}

}  // namespace perf

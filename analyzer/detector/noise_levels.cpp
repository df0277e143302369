#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analyzer/detector/internal.h"
#include "analyzer/detector/levels.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/selection.h"

namespace perf {
namespace {

constexpr std::size_t kFarthestNeighbour = 4;
/// A step lies between `distance` of the n - distance differences: a third at most.
constexpr std::size_t kShareOfStep = 4;
constexpr std::size_t kWindow = 7;
constexpr double kClip = 3;

/// The deviation of one y, estimated from differences over `distance` points.
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
  const std::size_t farthest =
      std::clamp(y.size() / kShareOfStep, std::size_t{1}, kFarthestNeighbour);
  for (std::size_t distance = 1; distance <= farthest; ++distance) {
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

/// A step this strong, in deviations, is taken out before blocks are compared.
constexpr double kClearStep = 3;
constexpr std::size_t kFewestOnASide = 5;
constexpr std::size_t kFewestPoints = 20;
/// Where no part between steps has so many points, blocks must fit into the longest part: longer
/// ones hold more of a step that is not known than of noise.
constexpr std::size_t kFewOfPart = 33;

/// Blocks whose means are compared, in points, where a series has at least kFewestBlocks of them;
/// and one taken as far as the series allows, so that short ones detect correlated neighbours.
constexpr std::array<std::size_t, 5> kBlocks{2, 4, 8, 24, 32};
constexpr std::size_t kMiddleBlock = 16;
constexpr std::size_t kFewestBlocks = 6;
/// Their mean distance is more precise than the median of so few, which says how far a step's may
/// count.
constexpr double kFarthest = 3;

/// The deviation whose distances these are, each cut to 3 of the deviations that their median
/// tells.
double deviation_of(std::span<double> distances) {
  const double farthest = kFarthest * kNormalDeviations * median_in_place(distances);
  double sum = 0;
  for (const double distance : distances) {
    sum += std::min(distance, farthest);
  }
  return kNormalMeanDistances * sum / static_cast<double>(distances.size());
}

/// Of the means of adjacent blocks: their first differences, or their second, in which a straight
/// line leaves nothing.
enum class Differences { first, second };

double block_noise(std::span<const double> sums, std::size_t block, Differences differences,
                   std::vector<double>& scratch) {
  const bool first = differences == Differences::first;
  scratch.resize(sums.size() - (first ? 2 : 3) * block);
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    scratch[i] = std::abs(first ? sums[i + 2 * block] - 2 * sums[i + block] + sums[i]
                                : sums[i + 3 * block] - 3 * sums[i + 2 * block] +
                                      3 * sums[i + block] - sums[i]);
  }
  const double size = static_cast<double>(block);
  return deviation_of(scratch) / size * std::sqrt(size / (first ? 2 : 6));
}

/// `n`: points that have blocks: all, or those of the longest part between steps.
double largest_block_noise(std::span<const double> sums, std::size_t n, double least,
                           Differences differences) {
  std::vector<double> scratch;
  double noise = least;
  for (const std::size_t block : kBlocks) {
    if (n >= block * kFewestBlocks) {
      noise = std::max(noise, block_noise(sums, block, differences, scratch));
    }
  }
  const std::size_t middle = std::min(kMiddleBlock, n / kFewestBlocks);
  return middle > 1 ? std::max(noise, block_noise(sums, middle, differences, scratch)) : noise;
}

constexpr double kKnownByFew = 2;

void add_parts(NoiseLevels& noise, std::span<const double> y,
               const std::vector<std::size_t>& steps) {
  std::size_t begin = 0;
  for (std::size_t part = 0; part <= steps.size(); ++part) {
    const std::size_t end = part < steps.size() ? steps[part] : y.size();
    const std::size_t points = end - begin;
    const double allowance = 1 + kKnownByFew / std::sqrt(static_cast<double>(points));
    const auto own = std::span(noise.clipped).subspan(begin, points);
    const double neighbour = neighbour_noise(own);
    noise.parts.push_back({begin, end,
                           std::min(noise.point, allowance * point_noise(y.subspan(begin, points))),
                           std::min(noise.long_run, allowance * long_run_noise(own, neighbour))});
    begin = end;
  }
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

NoiseLevels noise_about_steps(NoiseLevels noise, std::span<const double> y,
                              const std::vector<std::size_t>& steps) {
  std::vector<double> scratch;
  noise.point = std::min(noise.point, point_noise(about_means(y, steps)));
  noise.clipped = clip(y, noise.point);
  noise.neighbour = noise_at(noise.clipped, 1, scratch);
  noise.long_run = std::min(noise.long_run, long_run_noise(noise.clipped, noise.neighbour, steps));
  add_parts(noise, y, steps);
  return noise;
}

PartNoise NoiseLevels::part_of(std::size_t at) const {
  const auto found =
      std::ranges::find_if(parts, [at](const PartNoise& one) { return at < one.end; });
  return found == parts.end() ? PartNoise{0, clipped.size(), point, long_run} : *found;
}

double neighbour_noise(std::span<const double> y) {
  std::vector<double> scratch;
  return noise_at(y, 1, scratch);
}

double series_noise(const std::vector<double>& values, Scale scale) {
  return point_noise(searched_values(values, scale).y);
}

double long_run_noise(std::span<const double> clipped, double least,
                      std::vector<std::size_t> steps) {
  const std::vector<double> sums = cumulative_sums(clipped);
  std::size_t longest = clipped.size() - (steps.empty() ? 0 : steps.back());
  for (std::size_t part = 0; part < steps.size(); ++part) {
    longest = std::max(longest, steps[part] - (part == 0 ? 0 : steps[part - 1]));
  }
  const std::size_t blocks_in = longest < kFewOfPart ? longest : clipped.size();
  const auto noise_between = [&](const std::vector<std::size_t>& cuts) {
    return largest_block_noise(cumulative_sums(about_means(clipped, cuts)), blocks_in, least,
                               Differences::first);
  };
  const double noise = noise_between(steps);
  if (clipped.size() < kFewestPoints) {
    return noise;
  }
  Cut strongest;
  for (std::size_t part = 0; part <= steps.size(); ++part) {
    const std::size_t begin = part == 0 ? 0 : steps[part - 1];
    const std::size_t end = part < steps.size() ? steps[part] : clipped.size();
    const Cut cut = CutFinder(end - begin, kFewestOnASide).best(sums, begin);
    strongest = cut.explained > strongest.explained ? cut : strongest;
  }
  if (strongest.explained < kClearStep * kClearStep * noise * noise) {
    return noise;
  }
  steps.insert(std::ranges::lower_bound(steps, strongest.step), strongest.step);
  return noise_between(steps);
}

double noise_about_lines(std::span<const double> clipped) {
  return largest_block_noise(cumulative_sums(clipped), clipped.size(), kLeastNoise,
                             Differences::second);
}

}  // namespace perf

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

/// The median of what the y differ by over so many points, but `least` where it is no larger.
double median_difference(std::span<const double> y, std::size_t distance, double least,
                         std::vector<double>& differences) {
  if (y.size() <= distance) {
    return least;
  }
  differences.resize(y.size() - distance);
  std::size_t larger = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    differences[i] = std::abs(y[i + distance] - y[i]);
    larger += differences[i] > least ? 1 : 0;
  }
  return 2 * larger < differences.size() ? least : std::max(least, median_in_place(differences));
}

/// The deviation of one y, estimated from differences over up to so many points.
double noise_of_differences(std::span<const double> y, std::size_t farthest) {
  double difference = 0;
  std::vector<double> scratch;
  for (std::size_t distance = 1; distance <= farthest; ++distance) {
    difference = median_difference(y, distance, difference, scratch);
  }
  return std::max(kLeastNoise, kNormalDeviations * difference / std::sqrt(2.0));
}

double point_noise(std::span<const double> y) {
  return noise_of_differences(
      y, std::clamp(y.size() / kShareOfStep, std::size_t{1}, kFarthestNeighbour));
}

/// The median of 7 by the fewest comparisons, none a branch: Devillard, "Fast median search", 1998.
double median_of_window(const double* window) {
  std::array<double, kWindow> v{};
  std::copy_n(window, kWindow, v.begin());
  const auto sort = [&v](std::size_t i, std::size_t j) {
    const double low = std::min(v[i], v[j]);
    v[j] = std::max(v[i], v[j]);
    v[i] = low;
  };
  sort(0, 5), sort(0, 3), sort(1, 6), sort(2, 4), sort(0, 1), sort(3, 5), sort(2, 6);
  sort(2, 3), sort(3, 6), sort(4, 5), sort(1, 4), sort(1, 3), sort(3, 4);
  return v[3];
}

/// Each y cut to the median of the 7 points about it, at the ends of the first or last 7.
std::vector<double> clip(std::span<const double> y, double noise) {
  std::vector<double> clipped(y.size());
  const bool are_few = y.size() < kWindow;
  double middle = are_few ? median({y.begin(), y.end()}) : 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!are_few) {
      const std::size_t before = i - std::min(i, kWindow / 2);
      middle = median_of_window(y.data() + std::min(before, y.size() - kWindow));
    }
    clipped[i] = std::clamp(y[i], middle - kClip * noise, middle + kClip * noise);
  }
  return clipped;
}

/// A step this strong, in deviations, is taken out before blocks are compared.
constexpr double kClearStep = 3;
constexpr std::size_t kFewestOnASide = 5;
constexpr std::size_t kFewestForBlocks = 20;
/// Where no part between steps has so many points, blocks must fit into the longest part: longer
/// ones hold more of a step that is not known than of noise.
constexpr std::size_t kFewOfPart = 33;

/// Blocks whose means are compared, in points, where a series has at least kFewestBlocks of them;
/// and one taken as far as the series allows, so that short ones detect correlated neighbours.
constexpr std::array<std::size_t, 5> kBlocks{32, 24, 8, 4, 2};
constexpr std::size_t kMiddleBlock = 16;
constexpr std::size_t kFewestBlocks = 6;
/// Their mean distance is more precise than the median of so few, which says how far a step's may
/// count.
constexpr double kFarthest = 3;

/// The deviation whose distances these are, each cut to `farthest`.
double deviation_within(std::span<const double> distances, double farthest) {
  double sum = 0;
  for (const double distance : distances) {
    sum += std::min(distance, farthest);
  }
  return kNormalMeanDistances * sum / static_cast<double>(distances.size());
}

/// More than sums of the same distances in another order differ by.
constexpr double kRounding = 1 + 1e-9;

/// The sum of `of` at 0 to n - 1, in four that need not wait for each other.
template <class Of>
double sum_of(std::size_t n, Of of) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= n; i += sums.size()) {
    for (std::size_t j = 0; j < sums.size(); ++j) {
      sums[j] += of(i + j);
    }
  }
  for (; i < n; ++i) {
    sums[0] += of(i);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The deviation whose `n` distances these are, each cut to 3 of the deviations estimated from
/// their median; 0 where it is certainly less than `least`.
template <class Distance>
double deviation_of(std::size_t n, Distance distance, double least, std::vector<double>& scratch) {
  if (kRounding * kNormalMeanDistances * sum_of(n, distance) / static_cast<double>(n) < least) {
    return 0;
  }
  scratch.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    scratch[i] = distance(i);
  }
  return deviation_within(scratch, kFarthest * kNormalDeviations * median_in_place(scratch));
}

/// Of the means of adjacent blocks: their first differences, or their second, in which a straight
/// line leaves nothing.
enum class Differences { first, second };

/// `least` where it is no more.
double block_noise(std::span<const double> sums, std::size_t block, Differences differences,
                   double least, std::vector<double>& scratch) {
  const double size = static_cast<double>(block);
  const double* from = sums.data();
  const auto noise_of = [&](std::size_t blocks, double squares, auto difference) {
    const double of_means = std::sqrt(size / squares);
    return deviation_of(
               sums.size() - blocks * block,
               [&](std::size_t i) { return std::abs(difference(from + i)); },
               least * size / of_means, scratch) /
           size * of_means;
  };
  const double noise =
      differences == Differences::first
          ? noise_of(2, 2, [=](const double* at) { return at[2 * block] - 2 * at[block] + at[0]; })
          : noise_of(3, 6, [=](const double* at) {
              return at[3 * block] - 3 * at[2 * block] + 3 * at[block] - at[0];
            });
  return std::max(least, noise);
}

/// `n`: points that have blocks: all, or those of the longest part between steps.
double largest_block_noise(std::span<const double> sums, std::size_t n, double least,
                           Differences differences) {
  std::vector<double> scratch;
  double noise = least;
  // The longest first: where neighbours correlate their noise is the largest, and the shorter ones
  // are then only compared with it.
  for (const std::size_t block : kBlocks) {
    if (n >= block * kFewestBlocks) {
      noise = block_noise(sums, block, differences, noise, scratch);
    }
  }
  const std::size_t middle = std::min(kMiddleBlock, n / kFewestBlocks);
  return middle > 1 ? block_noise(sums, middle, differences, noise, scratch) : noise;
}

constexpr double kKnownByFew = 2;

/// The strongest cut of a part, where it is clear: a step that would raise the noise there.
std::vector<std::size_t> clear_cut(std::span<const double> own, double noise) {
  const Cut cut = CutFinder(own.size(), kFewestOnASide).best(cumulative_sums(own), 0);
  return cut.explained < kClearStep * kClearStep * noise * noise ? std::vector<std::size_t>()
                                                                 : std::vector{cut.step};
}

void add_parts(NoiseLevels& noise, std::span<const double> y,
               const std::vector<std::size_t>& steps) {
  std::size_t begin = 0;
  for (std::size_t part = 0; part <= steps.size(); ++part) {
    const std::size_t end = part < steps.size() ? steps[part] : y.size();
    const std::size_t points = end - begin;
    const double allowance = 1 + kKnownByFew / std::sqrt(static_cast<double>(points));
    const auto own = std::span(noise.clipped).subspan(begin, points);
    const double neighbour = neighbour_noise(own);
    const std::vector<double> rest =
        about_means(y.subspan(begin, points), clear_cut(own, neighbour));
    noise.parts.push_back({begin, end, std::min(noise.point, allowance * point_noise(rest)),
                           std::min(noise.long_run, allowance * long_run_noise(own, neighbour))});
    begin = end;
  }
}

}  // namespace

NoiseLevels noise_levels(std::span<const double> y) {
  NoiseLevels noise;
  noise.point = point_noise(y);
  noise.clipped = clip(y, noise.point);
  noise.neighbour = neighbour_noise(noise.clipped);
  noise.long_run = long_run_noise(noise.clipped, noise.neighbour);
  return noise;
}

NoiseLevels noise_about_steps(NoiseLevels noise, std::span<const double> y,
                              const std::vector<std::size_t>& steps) {
  noise.point = std::min(noise.point, point_noise(about_means(y, steps)));
  noise.clipped = clip(y, noise.point);
  noise.neighbour = neighbour_noise(noise.clipped);
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
  return noise_of_differences(y, 1);
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
  if (clipped.size() < kFewestForBlocks) {
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

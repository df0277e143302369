#include "analyzer/detector/noise_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "analyzer/detector/best_cut.h"
#include "analyzer/detector/searched_values.h"
#include "analyzer/statistics/centre_and_spread.h"

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

/// A step this strong, in deviations, is taken out before blocks are compared.
constexpr double kClearStep = 3;
/// More of them are, where the noise of blocks is this far above that of neighbours, as only steps
/// make it, and comes near to it without them. Neighbours that hang together do neither.
constexpr double kFarAbove = 7;
constexpr double kNearLeast = 1.5;
constexpr std::size_t kPointsPerStep = 40;
constexpr std::size_t kFewestOnASide = 5, kFewestOnLaterSides = 10;
constexpr std::size_t kFewestPoints = 20;

/// Blocks whose means are compared, in points, where a series has at least kFewestBlocks of them;
/// and one taken as far as the series allows, so that short ones see neighbours that hang together.
constexpr std::array<std::size_t, 5> kBlocks{2, 4, 8, 24, 32};
constexpr std::size_t kMiddleBlock = 16;
constexpr std::size_t kFewestBlocks = 6;

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
  return kNormalDeviations * median_in_place(scratch) / size * std::sqrt(size / (first ? 2 : 6));
}

double largest_block_noise(std::span<const double> sums, double least, Differences differences) {
  const std::size_t n = sums.size() - 1;
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

/// A series in levels, cut further and further where that explains most (binary segmentation).
class Levels {
 public:
  explicit Levels(std::span<const double> y) : y_(y), sums_(cumulative_sums(y)) {
    add(0, y.size());
  }

  std::size_t cuts() const { return bounds_.size(); }

  /// What the next cut explains; negative where there is none.
  double next_explains() const { return open_.empty() ? -1 : open_.rbegin()->first; }

  void cut() {
    const Part part = open_.rbegin()->second;
    open_.erase(std::prev(open_.end()));
    bounds_.insert(part.step);
    add(part.begin, part.step);
    add(part.step, part.end);
  }

  /// The cumulative sums of the series about its levels.
  std::vector<double> sums_of_rest() const {
    std::vector<double> rest(y_.begin(), y_.end());
    std::size_t begin = 0;
    const auto level = [&](std::size_t end) {
      const double mean = (sums_[end] - sums_[begin]) / static_cast<double>(end - begin);
      for (; begin < end; ++begin) {
        rest[begin] -= mean;
      }
    };
    for (const std::size_t bound : bounds_) {
      level(bound);
    }
    level(y_.size());
    return cumulative_sums(rest);
  }

 private:
  struct Part {
    std::size_t begin = 0, step = 0, end = 0;
  };

  void add(std::size_t begin, std::size_t end) {
    const std::size_t fewest = bounds_.empty() ? kFewestOnASide : kFewestOnLaterSides;
    const Cut cut = CutFinder(end - begin, fewest).best(sums_, begin);
    if (cut.explained > 0) {
      open_.insert({cut.explained, Part{begin, cut.step, end}});
    }
  }

  std::span<const double> y_;
  std::vector<double> sums_;
  std::set<std::size_t> bounds_;
  std::multimap<double, Part> open_;  ///< by what the cut explains
};

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
  return point_noise(searched_values(values, scale).y);
}

double long_run_noise(std::span<const double> clipped, double least) {
  double noise = largest_block_noise(cumulative_sums(clipped), least, Differences::first);
  if (clipped.size() < kFewestPoints) {
    return noise;
  }
  Levels levels(clipped);
  const bool is_clear = levels.next_explains() >= kClearStep * kClearStep * noise * noise;
  if (is_clear) {
    levels.cut();
    noise = largest_block_noise(levels.sums_of_rest(), least, Differences::first);
  }
  const std::size_t most = clipped.size() / kPointsPerStep;
  for (std::size_t steps = 2; noise > kFarAbove * least && levels.cuts() < most; steps *= 2) {
    if (levels.next_explains() <= 0) {
      break;
    }
    while (levels.cuts() < std::min(steps, most) && levels.next_explains() > 0) {
      levels.cut();
    }
    const double rest = largest_block_noise(levels.sums_of_rest(), least, Differences::first);
    if (rest <= kNearLeast * least) {
      noise = rest;
    }
  }
  return noise;
}

double noise_about_lines(std::span<const double> clipped) {
  return largest_block_noise(cumulative_sums(clipped), kLeastNoise, Differences::second);
}

}  // namespace perf

#include "analyzer/detector/long_run_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "analyzer/detector/best_cut.h"
#include "analyzer/detector/centre_and_spread.h"

namespace perf {
namespace {

/// A step this strong, in deviations, is taken out before blocks are compared.
constexpr double kClearStep = 3;
/// More of them are, where the noise of blocks is this far above that of neighbours, as only steps
/// make it, and comes near to it without them. Neighbours that hang together do neither.
constexpr double kFarAbove = 7;
constexpr double kNearLeast = 1.5;
constexpr std::size_t kPointsPerStep = 40;
constexpr std::size_t kFewestOnASide = 5, kFewestOnLaterSides = 10;
constexpr std::size_t kFewestPoints = 20;

double block_noise(std::span<const double> sums, std::size_t block, std::vector<double>& scratch) {
  const std::size_t n = sums.size() - 1;
  scratch.resize(n + 1 - 2 * block);
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    scratch[i] = std::abs(sums[i + 2 * block] - 2 * sums[i + block] + sums[i]);
  }
  const double size = static_cast<double>(block);
  return kNormalDeviations * median_in_place(scratch) / size * std::sqrt(size / 2);
}

double largest_block_noise(std::span<const double> sums, double least) {
  const std::size_t n = sums.size() - 1;
  std::vector<double> scratch;
  double noise = least;
  for (const std::size_t block : kBlocks) {
    if (n >= block * kFewestBlocks) {
      noise = std::max(noise, block_noise(sums, block, scratch));
    }
  }
  const std::size_t middle = std::min(kMiddleBlock, n / kFewestBlocks);
  return middle > 1 ? std::max(noise, block_noise(sums, middle, scratch)) : noise;
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

double long_run_noise(std::span<const double> clipped, double least) {
  double noise = largest_block_noise(cumulative_sums(clipped), least);
  if (clipped.size() < kFewestPoints) {
    return noise;
  }
  Levels levels(clipped);
  const bool is_clear = levels.next_explains() >= kClearStep * kClearStep * noise * noise;
  if (is_clear) {
    levels.cut();
    noise = largest_block_noise(levels.sums_of_rest(), least);
  }
  const std::size_t most = clipped.size() / kPointsPerStep;
  for (std::size_t steps = 2; noise > kFarAbove * least && levels.cuts() < most; steps *= 2) {
    if (levels.next_explains() <= 0) {
      break;
    }
    while (levels.cuts() < std::min(steps, most) && levels.next_explains() > 0) {
      levels.cut();
    }
    const double rest = largest_block_noise(levels.sums_of_rest(), least);
    if (rest <= kNearLeast * least) {
      noise = rest;
    }
  }
  return noise;
}

}  // namespace perf

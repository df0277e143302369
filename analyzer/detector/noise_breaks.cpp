#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analyzer/detector/internal.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/selection.h"

namespace perf {
namespace {

constexpr std::size_t kFewestOfStretch = 15;  ///< points
/// Distances of neighbours beyond so many of their medians count as that: no outlier is a noise.
constexpr double kFarthestDistance = 4;
/// Fewer, by all distances as if they were independent, are not worth a closer look.
constexpr double kMaybeBreak = 3;
constexpr int kDeepest = 12;  ///< of a break within breaks: the search stays linear

/// Of what is marked: a variance of 2. It moves no step, and may be less clear.
constexpr NoiseBreakTest kMarked{1.4142, 3.5};

/// |y[i + 1] - y[i]| in their medians, cut.
std::vector<double> neighbours_distances(std::span<const double> y) {
  std::vector<double> distances(y.size() - 1);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    distances[i] = std::abs(y[i + 1] - y[i]);
  }
  const double unit = std::max(median(distances), kLeastNoise);
  for (double& distance : distances) {
    distance = std::min(distance / unit, kFarthestDistance);
  }
  return distances;
}

class BreakSearch {
 public:
  BreakSearch(std::span<const double> y, const NoiseBreakTest& test)
      : y_(y),
        test_(test),
        distances_(neighbours_distances(y)),
        sums_(cumulative_sums(distances_)) {}

  std::vector<std::size_t> breaks() {
    const std::size_t n = distances_.size();
    const double variance = squares_about(distances_, mean(distances_)) / static_cast<double>(n);
    const Cut cut = CutFinder(n, kFewestOfStretch).best(sums_, 0);
    if (cut.explained < kMaybeBreak * kMaybeBreak * variance) {
      return {};
    }
    const double least = test_.least_errors * long_run_noise(distances_, kLeastNoise);
    least_explained_ = least * least;
    search(0, n, 0);
    std::ranges::sort(breaks_);
    return breaks_;
  }

 private:
  void search(std::size_t begin, std::size_t end, int depth) {
    const Cut cut = CutFinder(end - begin, kFewestOfStretch).best(sums_, begin);
    if (depth == kDeepest || cut.explained < least_explained_) {
      return;
    }
    const double before = neighbour_noise(y_.subspan(begin, cut.step - begin + 1));
    const double after = neighbour_noise(y_.subspan(cut.step, end - cut.step + 1));
    if (std::max(before, after) < test_.least_ratio * std::min(before, after)) {
      return;
    }
    // The distance at the cut is the first of the new noise: noisy points have it on both sides.
    breaks_.push_back(after > before ? cut.step + 1 : cut.step);
    search(begin, cut.step, depth + 1);
    search(cut.step, end, depth + 1);
  }

  std::span<const double> y_;
  NoiseBreakTest test_;
  std::vector<double> distances_, sums_;
  double least_explained_ = 0;
  std::vector<std::size_t> breaks_;
};

}  // namespace

std::vector<std::size_t> noise_breaks(std::span<const double> y, const NoiseBreakTest& test) {
  return y.size() > 2 * kFewestOfStretch ? BreakSearch(y, test).breaks()
                                         : std::vector<std::size_t>();
}

std::vector<FoundNoiseChange> find_noise_changes(const std::vector<double>& values, Scale scale) {
  const SearchedValues series = searched_values(values, scale);
  const std::span<const double> y(series.y);
  std::vector<std::size_t> ends = noise_breaks(y, kMarked);
  ends.push_back(y.size());
  std::vector<FoundNoiseChange> changes;
  double before = neighbour_noise(y.first(ends.front()));
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double after = neighbour_noise(y.subspan(ends[i], ends[i + 1] - ends[i]));
    if (std::max(before, after) >= kMarked.least_ratio * std::min(before, after)) {
      changes.push_back({series.position[ends[i]], series.position[ends[i] - 1], before, after});
    }
    before = after;
  }
  return changes;
}

}  // namespace perf

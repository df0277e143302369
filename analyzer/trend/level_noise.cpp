#include "analyzer/trend/level_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/detector/best_cut.h"
#include "analyzer/detector/centre_and_spread.h"
#include "analyzer/detector/long_run_noise.h"
#include "analyzer/detector/series_noise.h"
#include "analyzer/trend/series_residuals.h"

namespace perf {
namespace {

/// By the blocks of one length.
double noise_of_blocks(std::span<const double> sums, std::size_t block,
                       std::vector<double>& scratch) {
  scratch.resize(sums.size() - 3 * block);
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    scratch[i] =
        std::abs(sums[i + 3 * block] - 3 * sums[i + 2 * block] + 3 * sums[i + block] - sums[i]);
  }
  const double size = static_cast<double>(block);
  return kNormalDeviations * median_in_place(scratch) / size * std::sqrt(size / 6);
}

double noise_about_lines(std::span<const double> clipped) {
  const std::vector<double> sums = cumulative_sums(clipped);
  const std::size_t n = clipped.size();
  std::vector<double> scratch;
  double noise = kLeastNoise;
  for (const std::size_t block : kBlocks) {
    if (n >= block * kFewestBlocks) {
      noise = std::max(noise, noise_of_blocks(sums, block, scratch));
    }
  }
  const std::size_t middle = std::min(kMiddleBlock, n / kFewestBlocks);
  return middle > 1 ? std::max(noise, noise_of_blocks(sums, middle, scratch)) : noise;
}

}  // namespace

double level_noise(const TrendSeries& series) {
  const NoiseLevels noise = noise_levels(log_values(series));
  const NoiseLevels rest = noise_levels(residuals(series));
  const double long_run =
      std::min({noise.long_run, noise_about_lines(noise.clipped), noise_about_lines(rest.clipped)});
  return std::max(noise.point, long_run);
}

}  // namespace perf

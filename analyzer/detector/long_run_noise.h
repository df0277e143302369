#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace perf {

/// Blocks whose means are compared, in points, where a series has at least kFewestBlocks of them;
/// and one taken as far as the series allows, so that short ones see neighbours that hang together.
inline constexpr std::array<std::size_t, 5> kBlocks{2, 4, 8, 24, 32};
inline constexpr std::size_t kMiddleBlock = 16;
inline constexpr std::size_t kFewestBlocks = 6;

/// What means of y err by, in units of one point: the deviation of a mean of m points times
/// sqrt(m), m large. Above the noise from point to point where neighbours hang together: modes that
/// stay for a while, slow drifts of the machine. Never below `least`.
///
/// The largest over blocks of m = 2, 4, 8, min(16, n/6), 24 and 32 points, 6 or more blocks in the
/// series, of 1.4826 median|difference of adjacent blocks' means| sqrt(m/2), all positions of the
/// blocks. A true step touches the share 2m/n of these differences, a third at most, and would
/// raise their median; so the strongest step, where there is a clear one, is taken out first, and
/// further ones, one in 40 points at most, where they alone explain the noise of blocks.
/// `clipped` has no outliers left (NoiseLevels::clipped).
double long_run_noise(std::span<const double> clipped, double least);

}  // namespace perf

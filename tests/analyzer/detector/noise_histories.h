#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {

/// A suite that moves between shared runners and a quiet machine. Noisy: 100 to 200 points of 4 %
/// noise, every fourth 15 to 60 % higher. Calm: 0.5 to 1.5 % noise, a step of 5 to 15 %, up or
/// down.
struct Move {
  std::size_t before = 72;  ///< calm points before the step
  std::size_t after = 9;    ///< and after it; 0: there is no step
  bool noisy_first = true;  ///< else the noisy points come last
};
Planted moved_suite(const Move& move, std::mt19937_64& random);

/// White noise of 5 %, and a step of so many deviations between a plateau and 12 points more.
/// `first`: points before the plateau, from 17 times below it; 0: none.
struct Plateau {
  std::size_t first = 12, points = 10;
  double deviations = 4;
};
Planted step_behind(const Plateau& plateau, std::mt19937_64& random);

/// The share of `replicas` such series in which the step is found within 5 points, on its own side
/// of the larger one, and that as well.
double share_behind(const Plateau& plateau, int replicas, std::uint64_t seed);

/// The share of histories in which two steps and nothing else are found where they are: like that
/// of lrzip -n over 29 commits, even draws from the ranges of its three levels, in s.
double share_of_both_like_lrzip(int replicas, std::uint64_t seed);

}  // namespace perf::test

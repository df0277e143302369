#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/analyzer/detector/synthetic_series.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf::scripted {

/// Which steps of a process are slow: all by normal noise, or 15 of 100 by exponential delays.
enum class Slow { spread, delays };

/// Commits of 3 processes each. `level`, `between`: noise of commits and of processes, relative;
/// `size`: the deviation of steps, or the mean delay; from the commit `at` on `size` is `grows`
/// times as large, `between` is `louder` times as large, and the level is `change` higher.
struct Tails {
  Slow slow = Slow::spread;
  std::size_t points = 120, at = 100, steps = 100;
  test::Nature nature = test::Nature::white;
  double level = 0.01, between = 0.01, size = 0.05;
  double grows = 1, louder = 1, change = 0;
  double of_tails = 0;  ///< noise of `size` from commit to commit, of the same nature
};

/// Adds a series of them: medians, and tails as a store derives them.
RecordedSeries& add_tails(History& history, const Tails& of, std::uint64_t seed);

/// Of so many such series by themselves: with a tail within 8 points of `at`, with any other; and
/// the tails found in all.
struct TailScore {
  int found = 0, others = 0;
  std::size_t tails = 0;
};
TailScore score_tails(const Tails& of, int series, std::uint64_t seed);

}  // namespace perf::scripted

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/analyzer/trend/scripted_history.h"

namespace perf::scripted {

/// What thirty series of one machine have in common beside a step.
enum class Common {
  nothing,
  walk,         ///< a random walk
  correlated,   ///< first-order autoregression, 0.8
  slow_nights,  ///< a tenth of the nights is up to 20 % slower, some in a row
  louder,       ///< common noise that grows threefold in the last ten nights
};
std::vector<Common> all_commons();
std::string name_of(Common common);

/// Thirty series w10, w11, ... of 3 % noise each of its own over so many nights. `share`: of them
/// that are `change` slower in the last `young` nights; `common_noise`: deviation of what they
/// share (of a walk: a night).
struct Thirty {
  std::size_t nights = 120;
  Common common = Common::nothing;
  double common_noise = 0.01;
  double change = 0;
  std::size_t young = 4;
  double share = 1;
};
History thirty_series(const Thirty& of, std::uint64_t seed);

/// Reports on so many of these: with one event and no alert in the last 40
/// nights, with a common step, and with an event
/// of series that step each by itself.
struct ReportsOfThirty {
  int one = 0, common = 0, others = 0;
};
ReportsOfThirty reports_of(const Thirty& of, int histories);

}  // namespace perf::scripted

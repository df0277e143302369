#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "schema/trend.h"

namespace perf {

/// Within so many points the detector's step is the one that was shown.
inline constexpr std::size_t kWobble = 5;

/// Index of a commit in TrendReport::commits, by oid.
using CommitIndex = std::map<std::string, std::uint32_t>;

/// A step found tonight that an alert was about.
struct StepMatch {
  const Alert* alert = nullptr;
  std::size_t step = 0;  ///< index into the change points, or the suspects
  bool is_suspect = false;
};

/// Pairs alerts of the series about steps with the steps it has: of the same direction, within 5
/// points of each other or in ranges of commits that overlap; or, of an open alert, within 25
/// points and 1.2 to 3.5 times as large: a drift seen as a step wanders. Nearest first, none twice.
/// An alert that was withdrawn or has recovered is not borne out by a mere suspect.
std::vector<StepMatch> match_steps(const TrendSeries& series,
                                   const std::vector<const Alert*>& alerts,
                                   const CommitIndex& commits);

/// Where in the series a commit is; its number of points where it is not.
std::size_t point_of(const TrendSeries& series, const std::string& oid, const CommitIndex& commits);

}  // namespace perf

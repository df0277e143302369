#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analyzer/bisect/bisect_ends.h"

namespace perf {

/// What is known of one commit between GOOD and BAD.
struct BisectCommit {
  /// ln(commit/GOOD) of each pair measured against GOOD, in that order; positive = worse, whatever
  /// the metric's direction.
  std::vector<double> differences;
  bool skipped = false;  ///< it cannot be measured (it does not build, or its workload fails)
};

/// What a bisection has measured so far.
struct BisectEvidence {
  std::vector<BisectCommit> commits;   ///< oldest first, without GOOD; the last one is BAD
  std::optional<std::size_t> current;  ///< the commit measured last: its build is at hand
};

/// A stretch of history that holds a step from one level to another.
struct BisectRange {
  int good = -1;             ///< the step lies after this commit
  int bad = 0;               ///< and at or before this one
  double low = 0, high = 0;  ///< their levels, ln against GOOD
};

/// Probability of every commit of a range to be the first bad one, each as likely as the others
/// beforehand: where k is the first, those from k on are at `high` and those before it at `low`.
/// Indexed from range.good + 1. The likelihood is that of Student's t with 4 degrees of freedom:
/// K. L. Lange, R. J. A. Little & J. M. G. Taylor, "Robust statistical modeling using the t
/// distribution", JASA 84 (1989), 881-896.
std::vector<double> first_bad_probabilities(const BisectEvidence& evidence,
                                            const BisectRange& range, double noise);

/// The noise of a pair as all commits measured so far show it. A single pair shows at least how far
/// it is from both levels that it could be at.
double noise_so_far(const BisectEvidence& evidence, const BisectEnds& ends);

/// The level of a commit, and its standard error: by its pairs, or as the range has it of its ends.
double level_at(const BisectEvidence& evidence, const BisectRange& range, int commit);
double error_at(const BisectEvidence& evidence, const BisectRange& range, int commit, double noise);

/// ln of how much likelier the levels of two neighbours are with the step between them than without
/// it, by the normal errors of their medians; nothing where both are ends of the range, whose
/// levels are known.
std::optional<double> log_odds_of_step(const BisectEvidence& evidence, const BisectRange& range,
                                       int before, int after, double noise);

/// The standard error of a median of normal values in units of that of their mean, sqrt(pi / 2).
inline constexpr double kMedianError = 1.2533;

}  // namespace perf

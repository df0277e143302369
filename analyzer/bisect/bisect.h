#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analyzer/bisect/bisect_ends.h"
#include "analyzer/bisect/bisect_odds.h"

namespace perf {

/// Where a search stands. Commits are counted as in BisectEvidence::commits; GOOD is -1.
struct BisectSearch {
  bool found = false;
  bool certain = false;    ///< else as far as pairs could tell: they were too many, or contradicted
  int last_good = -1;      ///< the answer, or the likeliest so far: the step lies after this commit
  int first_bad = 0;       ///< and at or before this one; between them only skipped commits
  double probability = 0;  ///< of that answer, given everything measured
  std::vector<double> bad;  ///< per commit: the probability that it is bad
  std::size_t commit = 0;   ///< to measure next, one pair, while nothing is found
  double noise = 0;         ///< s: of one pair's difference, ln, as all commits show it
  int candidates = 0;       ///< the likeliest commits that together hold it with 95 %
};

/// The search for the step that `ends` has shown, as docs/bisect.md describes it: the commit to
/// measure next is the one that splits the probability in half; a pair moves the odds of a commit
/// by its likelihood ratio under a Student t with 4 degrees of freedom; the neighbours of the step
/// must have been seen to differ. Pure; its cost is linear in the number of commits.
///
/// After S. Waeber, P. I. Frazier & S. G. Henderson, "Bisection search with noisy responses", SIAM
/// J. Control Optim. 51 (2013), 2261-2279; the robust likelihood after K. L. Lange, R. J. A. Little
/// & J. M. G. Taylor, "Robust statistical modeling using the t distribution", JASA 84 (1989),
/// 881-896.
BisectSearch search_step(const BisectEvidence& evidence, const BisectEnds& ends);

/// Where a bisection stands: what its ends say, how far the search is, and what to measure next.
struct BisectStanding {
  BisectEnds ends;
  std::optional<BisectSearch> search;  ///< once BAD has been shown to be worse
  std::optional<std::size_t> commit;   ///< to measure against GOOD; nothing when all is said
  int pairs = 0;                       ///< how many, before looking again
};
BisectStanding bisect_standing(const BisectEvidence& evidence, const Rule& rule);

/// The level of a commit and how well it is known: the median of its differences, +- 1.96 standard
/// errors by that noise of a pair. Nothing for a commit without pairs.
std::optional<Shift> level_of(const BisectCommit& commit, double noise);

}  // namespace perf

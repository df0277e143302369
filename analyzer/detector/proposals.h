#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/detector/best_cut.h"
#include "analyzer/detector/noise_levels.h"

namespace perf {

/// What the difference of two means has to exceed, in its standard errors by the long-run noise:
/// c sqrt(2 ln n) (1 + (12/n)^2). The c is 1.1 where points are independent, and rises to 1.4 as
/// the long-run noise reaches twice that of neighbours: where points hang together, few blocks tell
/// their noise, and they tell too little of it. Short series tell less still: the last factor.
double proposal_threshold(const NoiseLevels& noise);

/// Where a series may step, each position the first point after the step. A proposal: it is for
/// verified_steps to test them.
///
/// Seeded intervals (Kovacs, Buehlmann, Li & Munk, Biometrika 110 (2023), 249-256) of lengths
/// n / 2^(j/2) >= 4, shifted by half; in each the best cut into two means, sides of 2 or more;
/// those beyond proposal_threshold are taken narrowest first (Baranowski, Chen & Fryzlewicz, JRSS B
/// 81 (2019), 649-672), where no taken step lies inside.
class Proposals {
 public:
  /// Searches for what may be a step if points are independent: the long-run noise of `noise`,
  /// which is never less than the neighbours', is not asked for.
  explicit Proposals(const NoiseLevels& noise);

  /// Those beyond the threshold by such noise of the same series; positions, ascending.
  std::vector<std::size_t> beyond(const NoiseLevels& noise) const;

 private:
  struct Candidate {
    std::size_t begin = 0, end = 0;
    Cut cut;
  };

  void add(std::span<const double> sums, std::size_t length, double least_explained);

  std::vector<Candidate> candidates_;  ///< the narrowest first
};

/// The noise of a series whose points are independent: all of it is that of neighbours.
NoiseLevels if_independent(NoiseLevels noise);

}  // namespace perf

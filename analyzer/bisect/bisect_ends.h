#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/statistics/shift.h"

namespace perf {

/// Whether BAD is worse than GOOD, and by how much: looked at as an ordinary comparison is.
struct BisectEnds {
  enum class Answer {
    open,       ///< more pairs are wanted
    not_worse,  ///< the whole interval is below the threshold: there is no step of that size
    worse,      ///< else, the whole interval is above 0: there is a step to search for
    undecided,  ///< the last look is taken, and neither is shown
  };
  Answer answer = Answer::open;
  int pairs = 0;               ///< behind the answer, or behind the last look taken
  int wanted = 0;              ///< pairs to the next look, while it is open
  std::optional<Shift> shift;  ///< at that look; ln, positive = worse
  double noise = 0;            ///< s: of one pair's difference, ln
};
BisectEnds compare_ends(std::span<const double> differences, const Rule& rule);

/// The smallest step that a bisection searches for where nobody says otherwise, relative.
inline constexpr double kSmallestStep = 0.01;

/// The threshold at which the neighbours of the step are compared in the end, relative: half the
/// lower bound of the step between the ends, at least a quarter of its estimate; rounded down to
/// two digits.
double last_threshold(const BisectEnds& ends);

/// The scale of normal noise that has these distances from its centre: by their median, and by what
/// a fifth of them exceeds, whichever is larger. A machine that is disturbed now and then has a
/// quiet median; taken for its noise, that would make evidence of every disturbance. Never below
/// 0.1 %, nor below a sixth of `step`, so that no commit is judged by a single pair alone.
double pair_noise_of(std::vector<double> distances, double step);

/// Adds what pairs are off their centre, made up for the centre being theirs.
void add_distances(std::span<const double> differences, double centre,
                   std::vector<double>& distances);

}  // namespace perf

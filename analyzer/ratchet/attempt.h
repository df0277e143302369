#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/rule/decision.h"

namespace perf {

/// The level of the i-th attempt of a ratchet, from 1: alpha i^-1.5 / zeta(1.5). Of all attempts,
/// however many follow, the levels add up to alpha: P(any false acceptance, ever) <= alpha.
double attempt_level(double alpha, std::int64_t index);

/// How far each of the pairs lies from the median of the others, as later attempts take their noise
/// from it. Nothing of fewer than four pairs.
std::vector<double> residuals_of(std::span<const double> gains);

/// What one metric of an attempt has come to.
struct AttemptEvidence {
  int pairs = 0;
  double estimate = 0;  ///< ln(best/head), Hodges-Lehmann; positive = better
  /// E: the product of bets that the gain is more than T, at fair odds if it is T or less and the
  /// noise symmetric. P(E ever reaches 1/a) <= a (Ville's inequality), whenever measuring stops: an
  /// attempt may be interrupted and resumed. The mean of six bets of fixed size: G. Shafer,
  /// "Testing by betting", JRSS A 184 (2021), 407-431.
  double evidence = 1;
  double noise = 0;  ///< s of one pair, as the next bet takes it
};

/// The bets on the pairs, in the order measured. `bound`: T. `residuals`: of the ratchet's earlier
/// pairs; with fewer than eight the noise is that of the attempt's own earlier pairs, of the first
/// four `first_noise`.
AttemptEvidence bet_on(std::span<const double> gains, double bound,
                       std::span<const double> residuals, double first_noise);

enum class AttemptAnswer {
  open,        ///< more pairs are wanted
  proven,      ///< better by at-least
  refused,     ///< it does not look so, and the pairs are better spent on other attempts
  not_proven,  ///< the last pair was measured
};

/// An attempt takes no more pairs than this.
inline constexpr int kMostAttemptPairs = 150;

/// Whether an attempt is better by at-least, by the gains of its pairs. `bounds`: of at-least.
/// *Proven*: the estimate is at least L, neighbouring pairs show no correlation of .3 or more, and
/// either E reaches 1/(.8 a), of four pairs or more, or all pairs lie further above T than they lie
/// apart (analyzer/rule/early_looks.h), from min{n : 2 4^-n + 1.5 3^-(n+3) <= .2 a} pairs on.
struct AttemptStanding {
  AttemptAnswer answer = AttemptAnswer::open;
  AttemptEvidence evidence;  ///< at the pair that decided, or of all
};
AttemptStanding attempt_standing(std::span<const double> gains, std::span<const double> residuals,
                                 double level, const Bounds& bounds,
                                 int most_pairs = kMostAttemptPairs);

/// What the pairs show of another metric.
enum class GuardStanding {
  open,
  passes,  ///< worse by less than its threshold: the same bets, and E has reached 1/a
  worse,   ///< it looks worse by its threshold, at the pairs where an attempt is refused
};

/// All such metrics must pass, so that their number does not matter.
GuardStanding guard_standing(std::span<const double> gains, std::span<const double> residuals,
                             double level, const Bounds& bounds);

}  // namespace perf

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyzer/rule/early_looks.h"
#include "analyzer/statistics/pair_order.h"
#include "analyzer/statistics/shift.h"
#include "schema/metric.h"
#include "schema/policy.h"
#include "schema/report.h"
#include "schema/verdict.h"

namespace perf {

/// The bounds a comparison is held against, on the scale of ln(head/base).
struct Bounds {
  double relevant = 0;     ///< L = ln(1 + threshold): a change of this size matters
  double significant = 0;  ///< T = ln(1 + threshold * share): what `regressed` has to exclude
};
Bounds bounds_for(double threshold, const Policy& policy);

/// The smallest change, relative, that can be measured of a metric whose values are about `level`
/// (0: not known): of peak_rss the kernel's (kMemoryResolution), of others any.
double resolution_at(double level, const std::string& metric);

/// Whether a metric cannot resolve values up to the largest: bytes_per_op is rounded down to
/// whole bytes, so that 0 and 1 are alike.
bool is_below_resolution(double largest, const std::string& metric);

/// The threshold for such a metric: threshold_for, and no less than the resolution.
double threshold_at(double level, const Policy& policy, const std::string& workload,
                    const std::string& metric);

/// The verdict of one look: regressed, improved, unchanged, or inconclusive while none of them is
/// proven.
Verdict verdict_at_look(const Shift& shift, Better better, const Bounds& bounds);

/// How many pairs it would take to decide what this look left open, by the interval's shrinking
/// with the root of n: n (width / 2g)^2 with g = L - |e| where |e| < L, else |e| - T. Nothing where
/// the estimate sits so close to a bound that no number would do.
std::optional<double> pairs_needed(const Shift& shift, int pairs, const Bounds& bounds);

/// The clocks of a device on the two sides, Hz.
struct ClocksApart {
  double base = 0, head = 0;
};

/// The state of one comparison: the first look that decided, or the last one taken.
struct Decision {
  Verdict verdict = Verdict::inconclusive;
  int pairs = 0;                    ///< pairs behind it
  int look = 0;                     ///< 1-based; 0: no look was reached; an early one is the first
  bool early = false;               ///< the verdict is of an early look
  int earlier = 0;                  ///< it rests on so many pairs of earlier runs, too
  std::optional<double> unusual{};  ///< unusual_range: it does not, for that
  std::optional<double> estimate;   ///< ln(head/base)
  std::optional<Shift> shift;       ///< at that look
  std::optional<double> pairs_needed;
  std::optional<PairOrder> held_back;   ///< correlated pairs, where they prevented a verdict
  std::optional<OrderEffect> order;     ///< of the processes, where it prevented a verdict
  std::optional<ClocksApart> clocks{};  ///< of a time on a device, where they prevented a verdict

  bool decided() const { return verdict != Verdict::inconclusive || order || clocks; }
};

/// The sequential rule of docs/verdicts.md over paired differences in the order they were measured.
struct Rule {
  Bounds bounds;
  Better better = Better::lower;
  double look_alpha = 0;     ///< a'
  int most_looks = 0;        ///< K
  std::vector<int> looks{};  ///< numbers of pairs, ascending; may end early
  EarlyLooks early{};        ///< which of them are early; none by default
  bool tails_apart = false;  ///< each end of the interval may miss with probability a'
  bool complete = false;     ///< all pairs are there before the first look is taken
  double order_alpha = 0;    ///< of the test for effects of the order; 0: there is none

  void take(const Looks& planned) {
    look_alpha = planned.alpha;
    looks = planned.pairs;
    early = planned.early;
  }
  /// The number of pairs from which there is an interval.
  int first_interval() const { return early.first > 0 ? early.plain : looks.front(); }
  /// The number of pairs at which quiet ones are decided.
  int first_verdict() const { return early.usual > 0 ? early.first : first_interval(); }
};

/// The interval of one look. With the tails apart it is that of level 1 - 2 a', because each
/// promise is about one end: true changes of half the threshold and less are called wrong by the
/// lower, those of a threshold and more by the upper. An interval wider than 6 T keeps level 1 -
/// a': where the noise hides the threshold, *regressed* and *improved* would both be at hand. Of
/// narrower ones the far end adds less than alpha/100: for normal noise, and 2.33 standard errors
/// being 3 T, it has to miss by 2 T more. Nulls that are an interval: Hodges & Lehmann, "Testing
/// the approximate validity of statistical hypotheses", JRSS B 16 (1954), 261-268.
/// Besides, it is widened where the pairs are correlated (pair_order.h). At an early look it is
/// early_shift.
std::optional<Shift> shift_at_look(std::span<const double> seen, const Rule& rule);

/// Takes the looks that the differences reach and lets the first decision stand. `ended`: no more
/// pairs will come, so that one of the remaining looks is taken at the number reached (if it is at
/// least n_1). Pairs between two looks are not used while more may come. Where the rule is
/// `complete`, the order of all the pairs widens each look's interval, too: an interval
/// that contains the one it was errs no more, whatever it was widened for.
///
/// Where the order of the processes matters (order_effect), by `places` of the pairs, and a group
/// of pairs by itself contradicts the verdict, there is none, and more pairs would not help. It
/// takes verdicts away and gives none, so that the error rates hold as they are.
Decision decide(std::span<const double> differences, const Rule& rule, bool ended,
                std::span<const PairPlace> places = {});

/// The share of the report's alpha for each way to divide the pairs. Fewer reports lack a verdict
/// for an effect that is not there: a group has to contradict it as well (replay_test: below
/// alpha).
inline constexpr double kOrderShare = 1;

/// Writes a decision into its comparison: change, interval, pairs, look, verdict, p-value, what was
/// visible, what it would take, and the notes on significant changes below the threshold.
void record(const Decision& decision, const Rule& rule, Comparison& comparison);

}  // namespace perf

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyzer/statistics/pair_order.h"
#include "analyzer/statistics/shift.h"
#include "schema/policy.h"

namespace perf {

/// From so many seconds a pair on a workload is dear: its pairs are looked at before the ordinary
/// first look, too.
inline constexpr double kDearPair = 2;

/// 1/200: of alpha, what a verdict before `plain` may be wrong.
inline constexpr double kHugeShare = 0.005;

/// So many pairs after `plain`, lying half as far beyond the bound as they lie apart is enough.
inline constexpr int kHalfMargin = 3;

/// The looks of one comparison before its first ordinary look (docs/verdicts.md, "Early looks"):
/// all pairs have to lie further beyond a bound than they lie apart. Of three processes with one
/// law of noise no two can all differ by an amount in [c, 2c), so that a pair does with probability
/// 1/4 at most (T. S. Motzkin & E. G. Straus, "Maxima for graphs and a new proof of a theorem of
/// Turan", Canad. J. Math. 17 (1965), 533-540); n independent pairs do with 2 x 4^-n in each
/// direction, the factor for a c that they choose (optimised over discrete laws, not proven). The
/// range of the pairs only grows: looking after each pair costs nothing.
struct EarlyLooks {
  int first = 0;  ///< the first such look; 0: there is none
  int plain = 0;  ///< from here on the pairs alone are enough; before it an effect has to be huge
  int end = 0;    ///< the first ordinary look: there are none from it on
  int equal = 0;  ///< so many of the first pairs have one value on both sides, in bytes or counts
  int one_order = 0;  ///< in so many of the first pairs the same side ran first
  double usual = 0;   ///< ln: pairs are seldom further from their median; 0: not known
  int earlier = 0;    ///< by so many pairs of earlier runs (earlier_noise.h)

  bool at(int pairs) const { return first > 0 && pairs >= first && pairs < end; }
};

/// When a comparison is looked at.
struct Looks {
  double alpha = 0;        ///< a' of each ordinary look
  std::vector<int> pairs;  ///< ascending, the early ones first; may be empty
  EarlyLooks early;
};

/// The ordinary looks of m judged comparisons (look_schedule.h) alone.
Looks ordinary_looks(const Policy& policy, int judged, std::optional<int> last = std::nullopt);

/// Throws UsageError where policy.max_pairs ends before any look, whatever a pair takes.
void require_any_look(const Policy& policy, int judged);

/// Those of a comparison whose pairs are dear: early ones, and ordinary ones with what the early
/// ones leave of alpha: less m (4^(1-plain) + 3^(-2-plain)) and alpha / 200. plain = min{n >= 4: m
/// 4^(1-n) <= alpha / 10}, first = max(4, plain - 3). Where the budget (`ends_early`) or --pairs
/// ends before the first ordinary look, they may use alpha / 2. policy.min_pairs raises both. There
/// are no early ones where alpha / m is so small that they would leave little.
Looks looks_of_dear(const Policy& policy, int judged, bool ends_early,
                    std::optional<int> last = std::nullopt);

/// One look at so many pairs, too few for an ordinary one, with all of alpha: as above, but plain =
/// min{n >= 4: m 4^(1-n) <= alpha}. Empty below that.
Looks look_at_few(const Policy& policy, int judged, int pairs);

/// The estimate with the range of the pairs, each end moved out by a margin: the range's width,
/// half of it from plain + 3 on, and before `plain` four times the width, at least ln 1.5; or, if
/// the width is half to twice `usual`, the larger of both. Nothing where there is no early look, or
/// where the same side ran first in each pair: an effect of the order would look like a change.
std::optional<Shift> early_shift(std::span<const double> seen, const EarlyLooks& early);

/// Of pairs before `plain`: their range, where it is more than two times the usual distance.
std::optional<double> unusual_range(std::span<const double> seen, const EarlyLooks& early);

/// EarlyLooks::one_order of pairs.
int pairs_in_one_order(std::span<const PairPlace> places);

}  // namespace perf

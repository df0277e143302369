#include "analyzer/rule/early_looks.h"

#include <algorithm>
#include <cmath>

#include "analyzer/rule/look_schedule.h"

namespace perf {
namespace {

constexpr int kFewestEarly = 4;
constexpr int kBeforePlain = 3;      // so many looks at huge effects
constexpr double kShare = 0.1;       // of alpha
constexpr double kShareAlone = 0.5;  // where no ordinary look will come
constexpr double kLeastLeft = 0.25;  // for the ordinary looks
constexpr double kRanges = 4;
constexpr double kHugeEffect = 1.5;  // the states of one program are assumed to lie closer
constexpr double kUnusual = 2;       // usual distances: noise unlike that of earlier runs
constexpr double kTooEqual = 0.5;    // so may be pairs that all are in one state

/// P of n pairs that lie further beyond a bound than they lie apart, both directions together; with
/// half that distance 3^(1-n).
double whole_range(int pairs) {
  return std::pow(4.0, 1 - pairs);
}
double half_range(int pairs) {
  return std::pow(3.0, 1 - pairs);
}

double alpha_of(const Policy& policy) {
  return policy.alpha * policy.alpha_share;
}

/// The share of alpha that is left for the ordinary looks.
double left_after(int plain, const Policy& policy, int judged) {
  const double spent = judged * (whole_range(plain) + half_range(plain + kHalfMargin));
  return 1 - spent / alpha_of(policy) - kHugeShare;
}

/// With so much of alpha.
int fewest_plain(const Policy& policy, int judged, double share) {
  int pairs = kFewestEarly;
  while (judged * whole_range(pairs) > share * alpha_of(policy) && pairs < kExactPairs) {
    ++pairs;
  }
  return pairs;
}

EarlyLooks early_looks(const Policy& policy, int judged, bool ends_early) {
  EarlyLooks early;
  early.plain = fewest_plain(policy, judged, ends_early ? kShareAlone : kShare);
  if (left_after(early.plain, policy, judged) < kLeastLeft) {
    return {};
  }
  early.first = std::max({kFewestEarly, early.plain - kBeforePlain, policy.min_pairs});
  early.plain = std::max(early.plain, policy.min_pairs);
  return early;
}

double margin_of(double range, int pairs, const EarlyLooks& early) {
  if (pairs >= early.plain + kHalfMargin) {
    return range / 2;
  }
  const double huge = std::max(kRanges * range, std::log(kHugeEffect));
  const bool is_usual = early.usual > 0 && range >= kTooEqual * early.usual &&
                        range <= kUnusual * early.usual;
  return pairs >= early.plain ? range
         : is_usual           ? std::min(huge, std::max(range, early.usual))
                              : huge;
}

double range_of(std::span<const double> seen) {
  const auto [low, high] = std::ranges::minmax(seen);
  return high - low;
}

}  // namespace

Looks ordinary_looks(const Policy& policy, int judged, std::optional<int> last) {
  return {look_alpha(policy, judged), look_schedule(policy, judged, last), {}};
}

Looks looks_of_dear(const Policy& policy, int judged, bool ends_early, std::optional<int> last) {
  const EarlyLooks early = early_looks(policy, judged, ends_early);
  if (early.first == 0) {
    return ordinary_looks(policy, judged, last);
  }
  Policy later = policy;
  later.alpha_share *= left_after(early.plain, policy, judged);
  const Looks ordinary = ordinary_looks(later, judged, last);
  if (ordinary.pairs.empty() && !ends_early) {
    return looks_of_dear(policy, judged, true, last);
  }
  Looks looks{ordinary.alpha, {}, early};
  const bool is_cut = ordinary.pairs.empty();
  looks.early.end = is_cut ? first_possible_look(later, judged) : ordinary.pairs.front();
  const int most = is_cut ? last.value_or(policy.max_pairs) : looks.early.end - 1;
  for (int pairs = early.first; pairs <= most; ++pairs) {
    looks.pairs.push_back(pairs);
  }
  looks.pairs.insert(looks.pairs.end(), ordinary.pairs.begin(), ordinary.pairs.end());
  return looks;
}

void require_any_look(const Policy& policy, int judged) {
  if (looks_of_dear(policy, judged, false).pairs.empty()) {
    require_reachable_look(policy, judged);
  }
}

Looks look_at_few(const Policy& policy, int judged, int pairs) {
  const int plain = std::max(fewest_plain(policy, judged, 1), policy.min_pairs);
  if (pairs < plain) {
    return {};
  }
  const int first = std::max(first_possible_look(policy, judged), pairs + 1);
  return {look_alpha(policy, judged), {pairs}, {pairs, plain, first}};
}

int pairs_in_one_order(std::span<const PairPlace> places) {
  const auto other = std::ranges::find_if(places, [&](const PairPlace& place) {
    return place.base_first != places.front().base_first;
  });
  return static_cast<int>(other - places.begin());
}

std::optional<double> unusual_range(std::span<const double> seen, const EarlyLooks& early) {
  const bool rests_on_earlier =
      early.usual > 0 && !seen.empty() && static_cast<int>(seen.size()) < early.plain;
  const double range = rests_on_earlier ? range_of(seen) : 0;
  return range > kUnusual * early.usual ? std::optional(range) : std::nullopt;
}

std::optional<Shift> early_shift(std::span<const double> seen, const EarlyLooks& early) {
  const int pairs = static_cast<int>(seen.size());
  if (!early.at(pairs) || pairs <= early.one_order) {
    return std::nullopt;
  }
  const auto [low, high] = std::ranges::minmax(seen);
  const double margin = pairs <= early.equal ? 0 : margin_of(high - low, pairs, early);
  Shift shift = *estimate_shift(seen, 1);
  shift.low = low - margin;
  shift.high = high + margin;
  return shift;
}

}  // namespace perf

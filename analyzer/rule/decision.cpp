#include "analyzer/rule/decision.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"
#include "schema/readings.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

// No run takes a million pairs: beyond it no number is enough.
constexpr double kHopelessPairs = 1e6;

constexpr double kRoundedSum = 1e-12;  // of differences of logarithms

constexpr double kTailsApart = 6;  // T: the widest interval whose two ends err apart

// The same shift with positive = worse.
Shift toward_worse(Shift shift, Better better) {
  if (better == Better::higher) {
    shift.estimate = -shift.estimate;
    std::swap(shift.low, shift.high);
    shift.low = -shift.low;
    shift.high = -shift.high;
  }
  return shift;
}

// Where a change is certain to exist, but not to matter.
std::optional<Warning> significance_note(const Decision& decision, const Bounds& bounds,
                                         const Metric& metric) {
  const Shift& shift = *decision.shift;
  if (!excludes_zero(shift) || std::abs(shift.estimate) >= bounds.relevant) {
    return std::nullopt;
  }
  const double change = std::expm1(shift.estimate);
  if (decision.verdict == Verdict::unchanged) {
    return Warning{WarningKind::below_threshold, {{"change", change}}};
  }
  if (decision.verdict == Verdict::inconclusive) {
    return Warning{WarningKind::probably_below_threshold,
                   {{"change", change}},
                   {{"direction", direction_word(metric, change)}}};
  }
  return std::nullopt;
}

std::optional<Shift> shift_of_independent(std::span<const double> seen, const Rule& rule) {
  const std::optional<Shift> shift = estimate_shift(seen, rule.look_alpha);
  if (!shift || !rule.tails_apart) {
    return shift;
  }
  const std::optional<Shift> apart = estimate_shift(seen, 2 * rule.look_alpha);
  return apart->high - apart->low <= kTailsApart * rule.bounds.significant ? apart : shift;
}

/// Of the pairs seen, and at least that of all of them.
PairOrder order_of(std::span<const double> seen, const PairOrder& of_all) {
  const PairOrder order = pair_order(seen);
  return of_all.correlation <= order.correlation
             ? order
             : PairOrder{of_all.correlation, widening_by(seen.size(), of_all.correlation)};
}

/// Whether it decides. Where no pair will come, its interval counts without a verdict, too.
bool take_early_look(std::span<const double> seen, const Rule& rule, bool is_last,
                     Decision& decision) {
  const std::optional<Shift> shift = early_shift(seen, rule.early);
  if (const auto range = unusual_range(seen, rule.early)) {
    decision.unusual = range;
  }
  if (!shift) {
    return false;
  }
  const Verdict verdict = verdict_at_look(*shift, rule.better, rule.bounds);
  const int pairs = static_cast<int>(seen.size());
  if (verdict != Verdict::inconclusive || (is_last && pairs >= rule.early.plain)) {
    decision.shift = shift;
    decision.estimate = shift->estimate;
    decision.pairs = pairs;
    decision.look = 1;
    decision.verdict = verdict;
    decision.early = true;
    EarlyLooks alone = rule.early;
    alone.usual = 0;
    const Verdict without = verdict_at_look(*early_shift(seen, alone), rule.better, rule.bounds);
    decision.earlier = without == verdict ? 0 : rule.early.earlier;
  }
  return decision.decided();
}

void take_look(const Shift& shift, std::span<const double> seen, const PairOrder& of_all,
               const Rule& rule, Decision& decision) {
  const PairOrder order = order_of(seen, of_all);
  decision.shift = widened(shift, order.widening);
  decision.pairs = static_cast<int>(seen.size());
  decision.estimate = shift.estimate;
  decision.verdict = verdict_at_look(*decision.shift, rule.better, rule.bounds);
  decision.held_back.reset();
  if (decision.verdict != verdict_at_look(shift, rule.better, rule.bounds)) {
    decision.held_back = order;
  }
}

/// Whether pairs with such a centre contradict the verdict.
bool contradicts(double centre, Verdict verdict, const Rule& rule) {
  const double worse = rule.better == Better::lower ? centre : -centre;
  return verdict == Verdict::regressed  ? worse <= rule.bounds.significant
         : verdict == Verdict::improved ? worse >= -rule.bounds.significant
                                        : std::abs(centre) >= rule.bounds.relevant;
}

/// Whether the groups contradict the verdict or, where there is none, each other.
bool matters(const OrderEffect& effect, Verdict verdict, const Rule& rule) {
  const auto alone = [&rule](double centre) {
    return verdict_at_look({centre, centre, centre}, rule.better, rule.bounds);
  };
  return verdict == Verdict::inconclusive
             ? alone(effect.one) != alone(effect.other)
             : contradicts(effect.one, verdict, rule) || contradicts(effect.other, verdict, rule);
}

void doubt_order(std::span<const double> differences, std::span<const PairPlace> places,
                 const Rule& rule, Decision& decision) {
  const auto pairs = static_cast<std::size_t>(decision.pairs);
  if (rule.order_alpha <= 0 || places.size() < pairs) {
    return;
  }
  const std::optional<OrderEffect> effect =
      order_effect(differences.first(pairs), places.first(pairs), rule.order_alpha);
  if (effect && matters(*effect, decision.verdict, rule)) {
    decision.order = effect;
    decision.verdict = Verdict::inconclusive;
  }
}

}  // namespace

Bounds bounds_for(double threshold, const Policy& policy) {
  return {std::log1p(threshold), std::log1p(threshold * policy.significance_share)};
}

double resolution_at(double level, const std::string& metric) {
  return metric == kPeakRss.name && level > 0 ? kMemoryResolution / level : 0;
}

bool is_below_resolution(double largest, const std::string& metric) {
  return metric == "bytes_per_op" && largest <= 1;
}

double threshold_at(double level, const Policy& policy, const std::string& workload,
                    const std::string& metric) {
  return std::max(threshold_for(policy, workload, metric), resolution_at(level, metric));
}

Verdict verdict_at_look(const Shift& shift, Better better, const Bounds& bounds) {
  const Shift worse = toward_worse(shift, better);
  // An end that ties with a bound is not beyond it, an estimate that does reaches it: their sums
  // are rounded.
  const double low = worse.low - kRoundedSum, high = worse.high + kRoundedSum;
  const double reached = bounds.relevant - kRoundedSum;
  if (low > -bounds.relevant && high < bounds.relevant) {
    return Verdict::unchanged;
  }
  if (low > bounds.significant && worse.estimate >= reached) {
    return Verdict::regressed;
  }
  if (high < -bounds.significant && worse.estimate <= -reached) {
    return Verdict::improved;
  }
  return Verdict::inconclusive;
}

std::optional<double> pairs_needed(const Shift& shift, int pairs, const Bounds& bounds) {
  const double size = std::abs(shift.estimate);
  const double gap = size < bounds.relevant ? bounds.relevant - size : size - bounds.significant;
  const double ratio = (shift.high - shift.low) / (2 * gap);
  const double needed = std::max(std::ceil(pairs * ratio * ratio), pairs + 1.0);
  if (gap <= 0 || !std::isfinite(needed) || needed > kHopelessPairs) {
    return std::nullopt;
  }
  return needed;
}

std::optional<Shift> shift_at_look(std::span<const double> seen, const Rule& rule) {
  if (rule.early.at(static_cast<int>(seen.size()))) {
    return early_shift(seen, rule.early);
  }
  const std::optional<Shift> shift = shift_of_independent(seen, rule);
  return shift ? std::optional(widened(*shift, pair_order(seen).widening)) : shift;
}

Decision decide(std::span<const double> differences, const Rule& rule, bool ended,
                std::span<const PairPlace> places) {
  const int available = static_cast<int>(differences.size());
  std::vector<int> looks = rule.looks;
  std::erase_if(looks, [&](int pairs) { return pairs > available; });
  const auto is_early = [&rule](int pairs) { return rule.early.at(pairs); };
  const bool some_left =
      std::ssize(looks) - std::ranges::count_if(looks, is_early) < rule.most_looks;
  if (ended && some_left && !looks.empty() && looks.back() < available && !is_early(looks.back())) {
    looks.push_back(available);
  }

  const PairOrder of_all = rule.complete ? pair_order(differences) : PairOrder{};
  Decision decision;
  for (const int pairs : looks) {
    const auto seen = differences.first(static_cast<std::size_t>(pairs));
    if (is_early(pairs)) {
      if (take_early_look(seen, rule, ended && pairs == available, decision)) {
        return decision;
      }
      continue;
    }
    const std::optional<Shift> shift = shift_of_independent(seen, rule);
    ++decision.look;
    if (!shift) {
      continue;
    }
    take_look(*shift, seen, of_all, rule, decision);
    if (decision.decided()) {
      doubt_order(differences, places, rule, decision);
      return decision;
    }
  }
  if (decision.shift && ended) {
    doubt_order(differences, places, rule, decision);
  }
  if (decision.order) {
    return decision;
  }
  if (decision.early) {
    decision.pairs_needed = rule.early.end;
  } else if (decision.shift) {
    decision.pairs_needed = pairs_needed(*decision.shift, decision.pairs, rule.bounds);
  } else if (available > 0) {
    decision.estimate = estimate_centre(differences);
    decision.pairs = available;
  }
  if (!decision.shift && !rule.looks.empty()) {
    decision.pairs_needed = rule.first_interval();
  }
  return decision;
}

void record(const Decision& decision, const Rule& rule, Comparison& comparison) {
  comparison.verdict = decision.verdict;
  comparison.pairs = decision.pairs;
  comparison.look = decision.look;
  comparison.pairs_needed = decision.pairs_needed;
  if (decision.estimate) {
    comparison.change = relative_change(*decision.estimate);
  }
  if (decision.unusual) {
    comparison.notes.push_back({WarningKind::noise_unlike_history,
                                {{"range", std::expm1(*decision.unusual)},
                                 {"usual", std::expm1(rule.early.usual)},
                                 {"earlier", rule.early.earlier}}});
  }
  if (!decision.shift) {
    return;
  }
  const Shift& shift = *decision.shift;
  comparison.look_alpha = rule.look_alpha;
  comparison.p_value = shift.p_value;  // of the test that takes the pairs for independent
  comparison.smallest_visible = relative_change((shift.high - shift.low) / 2);
  comparison.interval = relative_interval(shift);
  comparison.certain = is_change(decision.verdict) &&
                       (shift.low > rule.bounds.relevant || shift.high < -rule.bounds.relevant);
  if (const auto note = significance_note(decision, rule.bounds, comparison.metric)) {
    comparison.notes.push_back(*note);
  }
  if (decision.early && decision.decided()) {
    Warning note{WarningKind::decided_early, {{"pairs", decision.pairs}}};
    if (decision.earlier > 0) {
      note.figures["earlier"] = decision.earlier;
    }
    comparison.notes.push_back(std::move(note));
  }
  if (decision.order) {
    comparison.warnings.push_back(
        {WarningKind::order_matters,
         {{"one", std::expm1(decision.order->one)}, {"other", std::expm1(decision.order->other)}}});
  }
  if (decision.clocks) {
    comparison.warnings.push_back(
        {WarningKind::clocks_differ,
         {{"base", decision.clocks->base}, {"head", decision.clocks->head}}});
  }
  if (decision.held_back) {
    comparison.notes.push_back({WarningKind::correlated_pairs,
                                {{"correlation", decision.held_back->correlation},
                                 {"widening", decision.held_back->widening}}});
  }
}

}  // namespace perf

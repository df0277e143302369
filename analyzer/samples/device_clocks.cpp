#include "analyzer/samples/device_clocks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"

namespace perf {
namespace {

/// How many times the clock a quantity contains: 1 for a time, -1 for a rate, 0 for others.
int power_of_time(const Metric& metric) {
  return metric.unit == "s" && !(metric == kServerCpuTime) ? 1
         : metric.unit.ends_with("/s")                     ? -1
                                                           : 0;
}

/// The clocks of the pairs behind a verdict.
struct PairClocks {
  std::vector<double> base, head, differences;  ///< Hz; ln(head/base)
};

PairClocks clocks_of(const std::vector<GoodPair>& pairs, std::size_t count) {
  PairClocks clocks;
  for (std::size_t i = 0; i < std::min(count, pairs.size()); ++i) {
    const std::vector<double> base = values_of(*pairs[i].base, kDeviceClock),
                              head = values_of(*pairs[i].head, kDeviceClock);
    if (!base.empty() && !head.empty() && base.front() > 0 && head.front() > 0) {
      clocks.base.push_back(base.front());
      clocks.head.push_back(head.front());
      clocks.differences.push_back(std::log(head.front() / base.front()));
    }
  }
  return clocks;
}

/// ln(head/base); 0 where they are the same or not known.
double distance_of(const PairClocks& clocks) {
  const double distance = clocks.differences.empty() ? 0 : estimate_centre(clocks.differences);
  return std::abs(distance) > std::log1p(kSameClock) ? distance : 0;
}

/// The verdict on cycles; nothing where some pair has none.
std::optional<Verdict> verdict_on_cycles(const WorkloadSamples& samples, const MetricStanding& one,
                                         const std::vector<double>& clocks, int power) {
  const auto pairs = static_cast<std::size_t>(one.decision.pairs);
  if (clocks.size() != pairs || one.series.pairs.size() != samples.pairs.size()) {
    return std::nullopt;
  }
  std::vector<double> cycles;
  for (std::size_t i = 0; i < pairs; ++i) {
    cycles.push_back(one.differences[i] + power * clocks[i]);
  }
  const std::optional<Shift> shift = shift_at_look(cycles, one.rule);
  return shift ? std::optional(verdict_at_look(*shift, one.rule.better, one.rule.bounds))
               : std::nullopt;
}

}  // namespace

void doubt_clocks(const WorkloadSamples& samples, MetricStanding& one) {
  Decision& decision = one.decision;
  const int power = power_of_time(one.series.metric);
  if (power == 0 || decision.verdict == Verdict::inconclusive) {
    return;
  }
  PairClocks clocks = clocks_of(samples.pairs, static_cast<std::size_t>(decision.pairs));
  if (distance_of(clocks) == 0 ||
      verdict_on_cycles(samples, one, clocks.differences, power) == decision.verdict) {
    return;
  }
  decision.verdict = Verdict::inconclusive;
  decision.clocks = ClocksApart{median(std::move(clocks.base)), median(std::move(clocks.head))};
  decision.pairs_needed.reset();
}

double clock_effect(const WorkloadSamples& samples, const MetricStanding& one) {
  const int power = power_of_time(one.series.metric);
  return power == 0 ? 0 : -power * distance_of(clocks_of(samples.pairs, samples.pairs.size()));
}

}  // namespace perf

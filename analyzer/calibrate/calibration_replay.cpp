#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>

#include "analyzer/calibrate/calibration.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/pair_order.h"

namespace perf {
namespace {

/// The verdicts of the looks taken so far: the first decision stands, as in `decide`.
void take_look(const Shift& shift, int pairs, const Rule& rule, const Policy& policy,
               std::span<ReplayEnd> ends) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i].verdict == Verdict::inconclusive) {
      const Bounds bounds = bounds_for(kCalibratedThresholds[i], policy);
      ends[i] = {verdict_at_look(shift, rule.better, bounds), pairs};
    }
  }
}

double distance(double first, double second) {
  return std::abs(log_ratio(first, second).value_or(0));
}

}  // namespace

Replays replay_identical(std::span<const double> differences, int block, const Rule& rule,
                         const Policy& policy, int replays, std::uint64_t seed) {
  Replays result;
  if (differences.empty() || rule.looks.empty()) {
    return result;
  }
  constexpr std::size_t kThresholds = std::size(kCalibratedThresholds);
  result.ends.resize(kThresholds);
  result.half_widths.resize(rule.looks.size());
  NoiseSource noise(differences, block, seed);
  std::vector<double> sequence(static_cast<std::size_t>(rule.looks.back()));
  for (int replay = 0; replay < replays; ++replay) {
    noise.draw(sequence);
    ReplayEnd ends[kThresholds];
    double reach = std::numeric_limits<double>::infinity();
    for (std::size_t look = 0; look < rule.looks.size(); ++look) {
      const int pairs = rule.looks[look];
      const std::optional<Shift> shift = shift_at_look(
          std::span<const double>(sequence).first(static_cast<std::size_t>(pairs)), rule);
      if (shift) {
        take_look(*shift, pairs, rule, policy, ends);
        result.half_widths[look].push_back((shift->high - shift->low) / 2);
        reach = std::min(reach, std::max(std::abs(shift->low), std::abs(shift->high)));
      }
    }
    for (std::size_t i = 0; i < kThresholds; ++i) {
      result.ends[i].push_back(ends[i]);
    }
    result.reach.push_back(reach);
  }
  return result;
}

NaiveDistances naive_distances(std::span<const PairedSample> pairs) {
  NaiveDistances distances;
  for (const PairedSample& pair : pairs) {
    distances.one_run.push_back(distance(pair.base.value, pair.head.value));
  }
  constexpr std::size_t kRuns = kNaiveRuns;
  for (std::size_t at = 0; at + 2 * kRuns <= pairs.size(); ++at) {
    double base = 0, head = 0;
    for (std::size_t run = 0; run < kRuns; ++run) {
      base += pairs[at + run].base.value / kRuns;
      head += pairs[at + kRuns + run].head.value / kRuns;
    }
    distances.five_runs.push_back(distance(base, head));
  }
  return distances;
}

std::optional<double> share_beyond(std::span<const double> distances, double threshold) {
  if (distances.empty()) {
    return std::nullopt;
  }
  const double least = std::log1p(threshold);
  const auto beyond =
      std::ranges::count_if(distances, [least](double one) { return one >= least; });
  return static_cast<double>(beyond) / static_cast<double>(distances.size());
}

}  // namespace perf

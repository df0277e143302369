#include "analyzer/calibrate/calibrated_series.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/statistics/log_ratio.h"
#include "analyzer/statistics/pair_noise.h"
#include "analyzer/statistics/side_stats.h"

namespace perf {
namespace {

constexpr double kProvenShare = 0.95;  // of the replays that end unchanged at smallest_threshold

/// What a pair costs: the pilot's may have other numbers of steps, so they count only where there
/// is nothing else.
double seconds_per_pair(const WorkloadSamples& samples, const Policy& policy) {
  std::vector<double> seconds;
  for (const GoodPair& pair : samples.pairs) {
    seconds.push_back(pair.base->process.wall + pair.head->process.wall);
  }
  const auto pilot = static_cast<std::ptrdiff_t>(std::max(policy.pilot_pairs, 0));
  if (static_cast<std::ptrdiff_t>(seconds.size()) > pilot) {
    seconds.erase(seconds.begin(), seconds.begin() + pilot);
  }
  return seconds.empty() ? 0 : median(std::move(seconds));
}

void record_verdict(const SeriesStanding& one, const Policy& policy, CalibratedSeries& record) {
  Comparison row;
  perf::record(one.decision, one.rule, row);
  record.verdict = row.verdict;
  record.threshold = threshold_for(policy, one.series.workload, one.series.metric.name);
  record.change = row.change;
  record.interval = row.interval;
}

void record_replay(const Rule& rule, const SeriesReplay& replay, CalibratedSeries& record) {
  if (replay.ends.empty()) {
    return;
  }
  for (std::size_t look = 0; look < rule.looks.size(); ++look) {
    if (!replay.half_widths[look].empty()) {
      record.visible.push_back({rule.looks[look], std::expm1(median(replay.half_widths[look]))});
    }
  }
  std::vector<double> reach = replay.reach;
  std::sort(reach.begin(), reach.end());
  const auto proven = static_cast<std::size_t>(std::ceil(kProvenShare * reach.size())) - 1;
  if (reach[proven] < kUnbounded) {
    record.smallest_threshold = std::expm1(reach[proven]);
  }
}

CalibratedThreshold threshold_of(const std::vector<ReplayEnd>& ends, double threshold,
                                 const CalibratedSeries& record, const NaiveDistances& naive) {
  CalibratedThreshold result;
  result.threshold = threshold;
  for (const ReplayEnd& end : ends) {
    result.unchanged += end.verdict == Verdict::unchanged ? 1 : 0;
    result.false_alarms += is_alarm(end) ? 1 : 0;
    result.mean_pairs += end.pairs;
  }
  divide(result, ends.size());
  result.seconds = result.mean_pairs * record.seconds_per_pair;
  result.one_run_alarms = share_beyond(naive.one_run, threshold);
  result.five_runs_alarms = share_beyond(naive.five_runs, threshold);
  return result;
}

}  // namespace

bool is_alarm(const ReplayEnd& end) {
  return end.verdict == Verdict::regressed || end.verdict == Verdict::improved;
}

void divide(CalibratedThreshold& sums, std::size_t replays) {
  const auto number = static_cast<double>(replays);
  for (double* sum : {&sums.unchanged, &sums.false_alarms, &sums.mean_pairs, &sums.seconds}) {
    *sum /= number;
  }
}

Calibrated calibrate_series(const SeriesStanding& one, const WorkloadSamples& samples,
                            const Rule& ordinary, const Policy& policy, int replays,
                            std::uint64_t seed) {
  Calibrated result;
  CalibratedSeries& record = result.record;
  record.workload = one.series.workload;
  record.params = one.series.params;
  record.metric = one.series.metric;
  record.pairs = static_cast<int>(one.differences.size());
  const PairNoise noise = pair_noise(one.differences);
  std::tie(record.robust_sd, record.sd, record.p95, record.worst, record.autocorrelation) =
      std::tie(noise.robust_sd, noise.sd, noise.p95, noise.worst, noise.autocorrelation);
  record.block = block_length(noise, record.pairs);
  record.seconds_per_pair = seconds_per_pair(samples, policy);
  record_verdict(one, policy, record);

  Rule rule = ordinary;
  rule.better = one.series.metric.better;
  result.replay = replay_identical(one.differences, record.block, rule, policy, replays, seed);
  result.naive = naive_distances(one.series.pairs);
  record_replay(rule, result.replay, record);
  for (std::size_t i = 0; i < std::size(kCalibratedThresholds) && !result.replay.ends.empty();
       ++i) {
    record.thresholds.push_back(
        threshold_of(result.replay.ends[i], kCalibratedThresholds[i], record, result.naive));
  }
  for (const double difference : one.differences) {
    record.pair_changes.push_back(std::expm1(difference));
  }
  return result;
}

}  // namespace perf

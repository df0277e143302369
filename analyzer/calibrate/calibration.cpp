#include "analyzer/calibrate/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/rule/early_looks.h"
#include "analyzer/samples/standing.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/pair_order.h"
#include "schema/calibration.h"

namespace perf {
namespace {

/// A series under test, with what the report of all of them needs of it.
struct Calibrated {
  CalibratedMetric record;
  std::size_t workload = 0;  ///< index into Standing::workloads
  Replays replay;
  NaiveDistances naive;
};

constexpr double kProvenShare = 0.95;  // of the replays that end unchanged at smallest_threshold

/// What a pair costs: the pilot's may have other numbers of steps, so they count only where there
/// is nothing else.
double seconds_per_pair(const WorkloadSamples& samples, const Policy& policy) {
  const auto pilot = static_cast<std::size_t>(std::max(policy.pilot_pairs, 0));
  const std::span<const GoodPair> pairs = samples.pairs;
  return pair_seconds(pairs.size() > pilot ? pairs.subspan(pilot) : pairs);
}

void record_verdict(const MetricStanding& one, CalibratedMetric& record) {
  Comparison row;
  perf::record(one.decision, one.rule, row);
  record.verdict = row.verdict;
  record.threshold = one.threshold;
  record.change = row.change;
  record.interval = row.interval;
}

void record_replay(const Rule& rule, const Replays& replay, CalibratedMetric& record) {
  if (replay.ends.empty()) {
    return;
  }
  for (std::size_t look = 0; look < rule.looks.size(); ++look) {
    if (!replay.half_widths[look].empty()) {
      record.visible.push_back({rule.looks[look], std::expm1(median(replay.half_widths[look]))});
    }
  }
  std::vector<double> reach = replay.reach;
  std::ranges::sort(reach);
  const auto proven = static_cast<std::size_t>(std::ceil(kProvenShare * reach.size())) - 1;
  if (reach[proven] < kUnbounded) {
    record.smallest_threshold = std::expm1(reach[proven]);
  }
}

/// From sums over the replays to means.
void divide(CalibratedThreshold& sums, std::size_t replays) {
  const auto number = static_cast<double>(replays);
  for (double* sum : {&sums.unchanged, &sums.false_alarms, &sums.mean_pairs, &sums.seconds}) {
    *sum /= number;
  }
}

CalibratedThreshold threshold_of(const std::vector<ReplayEnd>& ends, double threshold,
                                 const CalibratedMetric& record, const NaiveDistances& naive) {
  CalibratedThreshold result;
  result.threshold = threshold;
  for (const ReplayEnd& end : ends) {
    result.unchanged += end.verdict == Verdict::unchanged ? 1 : 0;
    result.false_alarms += is_change(end.verdict) ? 1 : 0;
    result.mean_pairs += end.pairs;
  }
  divide(result, ends.size());
  result.seconds = result.mean_pairs * record.seconds_per_pair;
  result.one_run_alarms = share_beyond(naive.one_run, threshold);
  result.five_runs_alarms = share_beyond(naive.five_runs, threshold);
  return result;
}

/// The noise of one series, its verdict, and replays of the rule. `ordinary`: the looks of a
/// comparison; its direction and bounds are not used. The caller sets `workload`.
Calibrated calibrate_series(const MetricStanding& one, const WorkloadSamples& samples,
                            const Rule& ordinary, const Policy& policy, int replays,
                            std::uint64_t seed) {
  Calibrated result;
  CalibratedMetric& record = result.record;
  record.workload = one.series.workload;
  record.params = one.series.params;
  record.metric = one.series.metric;
  record.pairs = static_cast<int>(one.differences.size());
  const PairNoise noise = pair_noise(one.differences);
  std::tie(record.robust_sd, record.sd, record.p95, record.worst, record.autocorrelation) =
      std::tie(noise.robust_sd, noise.sd, noise.p95, noise.worst, noise.autocorrelation);
  record.block = block_length(noise, record.pairs);
  record.seconds_per_pair = seconds_per_pair(samples, policy);
  record_verdict(one, record);

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

/// The looks of an ordinary comparison of these workloads, without --pairs.
Rule ordinary_rule(const Standing& standing, const Policy& policy) {
  Policy ordinary = policy;
  ordinary.min_pairs = ordinary.max_pairs = 0;
  Rule rule;
  rule.most_looks = ordinary.looks;
  rule.take(ordinary_looks(ordinary, standing.judged));
  return rule;
}

/// The share of moments at which any series is so far apart.
std::optional<double> share_of_any(const std::vector<Calibrated>& all,
                                   std::vector<double> NaiveDistances::*distances,
                                   double threshold) {
  std::vector<double> farthest;
  for (const Calibrated& one : all) {
    const std::vector<double>& own = one.naive.*distances;
    farthest.resize(std::max(farthest.size(), own.size()), 0);
    for (std::size_t i = 0; i < own.size(); ++i) {
      farthest[i] = std::max(farthest[i], own[i]);
    }
  }
  return share_beyond(farthest, threshold);
}

/// Replay r of the report is replay r of every series: a workload's pairs serve all its metrics and
/// go on until the last of them has its verdict.
CalibratedThreshold report_at(const std::vector<Calibrated>& all, std::size_t threshold,
                              std::size_t workloads, int replays) {
  CalibratedThreshold result;
  result.threshold = kCalibratedThresholds[threshold];
  for (std::size_t replay = 0; replay < static_cast<std::size_t>(replays); ++replay) {
    bool all_unchanged = true, alarm = false;
    std::vector<int> pairs(workloads, 0);
    std::vector<double> seconds(workloads, 0);
    for (const Calibrated& one : all) {
      const ReplayEnd& end = one.replay.ends[threshold][replay];
      all_unchanged = all_unchanged && end.verdict == Verdict::unchanged;
      alarm = alarm || is_change(end.verdict);
      pairs[one.workload] = std::max(pairs[one.workload], end.pairs);
      seconds[one.workload] = pairs[one.workload] * one.record.seconds_per_pair;
    }
    result.unchanged += all_unchanged ? 1 : 0;
    result.false_alarms += alarm ? 1 : 0;
    for (std::size_t i = 0; i < workloads; ++i) {
      result.mean_pairs += pairs[i];
      result.seconds += seconds[i];
    }
  }
  divide(result, static_cast<std::size_t>(replays));
  result.one_run_alarms = share_of_any(all, &NaiveDistances::one_run, result.threshold);
  result.five_runs_alarms = share_of_any(all, &NaiveDistances::five_runs, result.threshold);
  return result;
}

std::vector<Calibrated> calibrate_all(const Standing& standing, int replays) {
  const Policy& policy = *standing.policy;
  constexpr std::uint64_t kStride = 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio: far-apart seeds
  const Rule ordinary = ordinary_rule(standing, policy);
  std::vector<Calibrated> all;
  for (std::size_t i = 0; i < standing.workloads.size(); ++i) {
    const WorkloadStanding& workload = standing.workloads[i];
    for (const MetricStanding& one : workload.series) {
      if (one.under_test && !one.incomparable && !one.differences.empty()) {
        all.push_back(calibrate_series(one, workload.samples, ordinary, policy, replays,
                                       standing.plan->seed + kStride * (all.size() + 1)));
        all.back().workload = i;
      }
    }
  }
  return all;
}

}  // namespace

Calibration calibrate(const Standing& standing, int replays) {
  const Plan& plan = *standing.plan;
  const Measurements& measurements = *standing.measurements;
  const Policy& policy = *standing.policy;
  Calibration calibration;
  calibration.id = plan.run_id;
  calibration.revision = plan.head;
  calibration.environment = plan.environment;
  calibration.size = plan.size;
  calibration.seed = plan.seed;
  calibration.alpha = policy.alpha;
  calibration.looks = policy.looks;
  calibration.judged = standing.judged;
  calibration.replays = replays;
  calibration.measured = measurements.measured;
  calibration.interrupted = measurements.interrupted;

  std::vector<Calibrated> all = calibrate_all(standing, replays);
  for (std::size_t i = 0; i < std::size(kCalibratedThresholds) && !all.empty(); ++i) {
    calibration.reports.push_back(report_at(all, i, standing.workloads.size(), replays));
  }
  for (Calibrated& one : all) {
    calibration.series.push_back(std::move(one.record));
  }
  std::ranges::stable_sort(calibration.series, {}, [](const CalibratedMetric& one) {
    return std::tie(one.workload, one.metric.name);
  });
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.samples.fate != Fate::paired) {
      calibration.not_measured.push_back(workload.samples.planned->workload.name + ": " +
                                         workload.samples.reason.text());
    }
  }
  calibration.warnings = calibration_warnings(calibration);
  return calibration;
}

}  // namespace perf

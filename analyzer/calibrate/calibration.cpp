#include "analyzer/calibrate/calibration.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

#include "analyzer/calibrate/calibrated_series.h"
#include "analyzer/rule/look_schedule.h"

namespace perf {
namespace {

constexpr std::size_t kThresholds = std::size(kCalibratedThresholds);

/// The looks of a comparison of these workloads, whatever number of pairs was wished for here.
Rule ordinary_rule(const Standing& standing, const Policy& policy) {
  Policy ordinary = policy;
  ordinary.min_pairs = ordinary.max_pairs = 0;
  Rule rule;
  rule.look_alpha = look_alpha(ordinary, standing.judged);
  rule.most_looks = ordinary.looks;
  rule.looks = look_schedule(ordinary, standing.judged);
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
      alarm = alarm || is_alarm(end);
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

std::vector<Calibrated> calibrate_all(const Standing& standing, const Plan& plan,
                                      const Policy& policy, int replays) {
  constexpr std::uint64_t kStride = 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio: far-apart seeds
  const Rule ordinary = ordinary_rule(standing, policy);
  std::vector<Calibrated> all;
  for (std::size_t i = 0; i < standing.workloads.size(); ++i) {
    const WorkloadStanding& workload = standing.workloads[i];
    for (const SeriesStanding& one : workload.series) {
      if (one.under_test && !one.incomparable && !one.differences.empty()) {
        all.push_back(calibrate_series(one, workload.samples, ordinary, policy, replays,
                                       plan.seed + kStride * (all.size() + 1)));
        all.back().workload = i;
      }
    }
  }
  return all;
}

void list_unmeasured(const Standing& standing, Calibration& calibration) {
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.samples.fate != Fate::paired) {
      calibration.not_measured.push_back(workload.samples.planned->workload.name + ": " +
                                         workload.samples.reason);
    }
  }
}

}  // namespace

Calibration calibrate(const Plan& plan, const History& history, const Policy& policy, int replays) {
  const Standing standing = standing_of(plan, history, policy);
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
  calibration.measured = history.measured;
  calibration.interrupted = history.interrupted;

  std::vector<Calibrated> all = calibrate_all(standing, plan, policy, replays);
  for (std::size_t i = 0; i < kThresholds && !all.empty(); ++i) {
    calibration.reports.push_back(report_at(all, i, standing.workloads.size(), replays));
  }
  for (Calibrated& one : all) {
    calibration.series.push_back(std::move(one.record));
  }
  std::stable_sort(calibration.series.begin(), calibration.series.end(),
                   [](const CalibratedSeries& a, const CalibratedSeries& b) {
                     return std::tie(a.workload, a.metric.name) <
                            std::tie(b.workload, b.metric.name);
                   });
  list_unmeasured(standing, calibration);
  calibration.warnings = calibration_warnings(calibration);
  return calibration;
}

}  // namespace perf

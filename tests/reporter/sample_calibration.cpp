#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

CalibratedMetric series_of(const std::string& workload, const Metric& metric, double spread) {
  CalibratedMetric series;
  series.workload = workload;
  series.params = {{"layers", std::int64_t{4}}};
  series.metric = metric;
  series.pairs = 32;
  series.robust_sd = spread;
  series.sd = 1.2 * spread;
  series.p95 = 2 * spread;
  series.worst = 3.5 * spread;
  series.autocorrelation = -0.08;
  series.seconds_per_pair = 0.61;
  series.verdict = Verdict::unchanged;
  series.threshold = 0.10;
  series.change = 0.1 * spread;
  series.interval = Interval{-0.5 * spread, 0.7 * spread};
  series.smallest_threshold = 0.9 * spread;
  int pairs = 14;
  for (const double width : {0.9, 0.8, 0.66, 0.55, 0.46, 0.38}) {
    series.visible.push_back({pairs, width * spread});
    pairs += 10;
  }
  double unchanged = 0.121;
  for (const double threshold : {0.01, 0.02, 0.05, 0.10}) {
    CalibratedThreshold at;
    at.threshold = threshold;
    at.unchanged = unchanged;
    at.mean_pairs = 14 / unchanged;
    at.seconds = at.mean_pairs * series.seconds_per_pair;
    at.one_run_alarms = 1 - unchanged;
    at.five_runs_alarms = (1 - unchanged) / 2;
    series.thresholds.push_back(at);
    unchanged = threshold >= 0.05 ? 1 : 0.9;
  }
  series.pair_changes = {0.01, -0.02, 0.005};
  return series;
}

}  // namespace

Calibration quiet_calibration() {
  const Report place = frame();
  Calibration calibration;
  calibration.id = "c0ffee";
  calibration.generated_at = "2026-01-31T12:00:00Z";
  calibration.tool_version = "0.1.0";
  calibration.revision = place.head;
  calibration.environment = place.environments.front().environment;
  calibration.size = "smoke";
  calibration.seed = 42;
  calibration.alpha = 0.01;
  calibration.looks = 6;
  calibration.judged = 3;
  calibration.replays = 1000;
  calibration.measured = 97;
  calibration.series = {series_of("inference/generate", kStepTime, 0.012),
                        series_of("training/mlp_stack", kPeakRss, 0.0008),
                        series_of("training/mlp_stack", kStepTime, 0.021)};
  calibration.reports = calibration.series[2].thresholds;
  return calibration;
}

Calibration noisy_calibration() {
  Calibration calibration = quiet_calibration();
  calibration.interrupted = true;
  CalibratedMetric& liar = calibration.series[2];
  liar.verdict = Verdict::regressed;
  liar.pairs = 17;
  liar.change = 0.13;
  liar.interval = Interval{0.07, 0.19};
  liar.smallest_threshold.reset();
  liar.autocorrelation.reset();
  calibration.reports[0].five_runs_alarms.reset();
  calibration.not_measured = {"quantization/int8: head failed: exit status 1"};
  calibration.warnings = {
      {WarningKind::not_calibrated, {}, {{"why", calibration.not_measured[0]}}},
      {WarningKind::false_alarm,
       {{"change", 0.13}, {"threshold", 0.10}},
       {{"workload", "training/mlp_stack"}, {"metric", "step_time"}, {"verdict", "regressed"}}}};
  return calibration;
}

}  // namespace perf::samples

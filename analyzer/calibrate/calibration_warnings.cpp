#include <algorithm>
#include <cmath>
#include <string>

#include "analyzer/calibrate/calibration.h"
#include "analyzer/statistics/pair_order.h"

namespace perf {
namespace {

// A replayed rate is held against alpha with three standard errors of its own.
constexpr double kDeviations = 3;

std::map<std::string, std::string> about(const CalibratedMetric& series) {
  return {{"workload", series.workload}, {"metric", series.metric.name}};
}

void warn_of_alarm(const CalibratedMetric& series, std::vector<Warning>& warnings) {
  if (!is_change(series.verdict)) {
    return;
  }
  Warning warning{WarningKind::false_alarm, {{"threshold", series.threshold}}, about(series)};
  warning.about["verdict"] = to_string(*series.verdict);
  if (series.change) {
    warning.figures["change"] = *series.change;
  }
  warnings.push_back(std::move(warning));
}

void warn_of_dependence(const CalibratedMetric& series, std::vector<Warning>& warnings) {
  if (series.block > 1) {
    warnings.push_back({WarningKind::autocorrelated,
                        {{"autocorrelation", series.autocorrelation.value_or(0)},
                         {"limit", autocorrelation_limit(series.pairs)}},
                        about(series)});
  }
}

void warn_of_few_pairs(const Calibration& calibration, std::vector<Warning>& warnings) {
  int fewest = kFewCalibrationPairs;
  for (const CalibratedMetric& series : calibration.series) {
    fewest = std::min(fewest, series.pairs);
  }
  if (fewest < kFewCalibrationPairs) {
    warnings.push_back(
        {WarningKind::noise_hardly_known, {{"pairs", fewest}, {"wanted", kFewCalibrationPairs}}});
  }
}

void warn_of_rate(const Calibration& calibration, std::vector<Warning>& warnings) {
  if (calibration.replays == 0) {
    return;
  }
  const double limit =
      calibration.alpha +
      kDeviations * std::sqrt(calibration.alpha * (1 - calibration.alpha) / calibration.replays);
  for (const CalibratedThreshold& at : calibration.reports) {
    if (at.false_alarms > limit) {
      warnings.push_back(
          {WarningKind::false_alarm_rate,
           {{"threshold", at.threshold}, {"rate", at.false_alarms}, {"alpha", calibration.alpha}}});
    }
  }
}

}  // namespace

std::vector<Warning> calibration_warnings(const Calibration& calibration) {
  std::vector<Warning> warnings;
  for (const std::string& why : calibration.not_measured) {
    warnings.push_back({WarningKind::not_calibrated, {}, {{"why", why}}});
  }
  for (const CalibratedMetric& series : calibration.series) {
    warn_of_alarm(series, warnings);
  }
  for (const CalibratedMetric& series : calibration.series) {
    warn_of_dependence(series, warnings);
  }
  warn_of_few_pairs(calibration, warnings);
  warn_of_rate(calibration, warnings);
  return warnings;
}

}  // namespace perf

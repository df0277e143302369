#include <algorithm>
#include <cmath>
#include <string>

#include "analyzer/calibrate/calibration.h"
#include "analyzer/statistics/pair_noise.h"
#include "analyzer/wording.h"

namespace perf {
namespace {

// A replayed rate is held against alpha with three standard errors of its own.
constexpr double kDeviations = 3;

std::string name_of(const CalibratedMetric& series) {
  return series.workload + " " + series.metric.name;
}

void warn_of_alarm(const CalibratedMetric& series, std::vector<Warning>& warnings) {
  if (!is_change(series.verdict)) {
    return;
  }
  Warning warning{"false_alarm", "identical code was called " +
                                     std::string(to_string(*series.verdict)) + ": " +
                                     name_of(series)};
  if (series.change) {
    warning.text += ", " + signed_percent(*series.change);
    warning.figures["change"] = *series.change;
  }
  warning.text += "; do not trust verdicts on this workload here";
  warning.figures["threshold"] = series.threshold;
  warnings.push_back(std::move(warning));
}

void warn_of_dependence(const CalibratedMetric& series, std::vector<Warning>& warnings) {
  if (series.block > 1) {
    warnings.push_back(
        {"autocorrelated",
         "the pairs of " + name_of(series) +
             " are not independent: each tells something of the next, which the rule does not "
             "allow for",
         {{"autocorrelation", series.autocorrelation.value_or(0)},
          {"limit", autocorrelation_limit(series.pairs)}}});
  }
}

void warn_of_few_pairs(const Calibration& calibration, std::vector<Warning>& warnings) {
  int fewest = kFewCalibrationPairs;
  for (const CalibratedMetric& series : calibration.series) {
    fewest = std::min(fewest, series.pairs);
  }
  if (fewest < kFewCalibrationPairs) {
    warnings.push_back({"too_few_pairs",
                        "only " + counted(static_cast<std::size_t>(fewest), "pair") +
                            ": the noise is hardly known; allow a larger --budget",
                        {{"pairs", fewest}, {"wanted", kFewCalibrationPairs}}});
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
          {"false_alarm_rate",
           "at a threshold of " + percent(at.threshold) + ", " + percent(at.false_alarms) +
               " of replayed reports on identical code raise a false alarm, more "
               "than the " +
               percent(calibration.alpha) + " that they should",
           {{"threshold", at.threshold}, {"rate", at.false_alarms}, {"alpha", calibration.alpha}}});
    }
  }
}

}  // namespace

std::vector<Warning> calibration_warnings(const Calibration& calibration) {
  std::vector<Warning> warnings;
  for (const std::string& why : calibration.not_measured) {
    warnings.push_back({"not_measured", "not calibrated: " + why});
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

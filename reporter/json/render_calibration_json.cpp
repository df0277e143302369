#include <string>

#include "reporter/json/records.h"
#include "reporter/render.h"

namespace perf {
namespace {

using reporter::Json;
using reporter::json_number;
using reporter::json_of;

Json thresholds_json(const std::vector<CalibratedThreshold>& thresholds) {
  Json list = Json::array();
  for (const CalibratedThreshold& at : thresholds) {
    list.push_back({{"threshold", json_number(at.threshold)},
                    {"unchanged", json_number(at.unchanged)},
                    {"false_alarms", json_number(at.false_alarms)},
                    {"mean_pairs", json_number(at.mean_pairs)},
                    {"seconds", json_number(at.seconds)},
                    {"one_run_alarms", json_number(at.one_run_alarms)},
                    {"five_runs_alarms", json_number(at.five_runs_alarms)}});
  }
  return list;
}

Json series_json(const CalibratedSeries& series) {
  Json visible = Json::array(), changes = Json::array();
  for (const VisibleAtLook& at : series.visible) {
    visible.push_back({{"pairs", at.pairs}, {"change", json_number(at.change)}});
  }
  for (const double change : series.pair_changes) {
    changes.push_back(json_number(change));
  }
  return {{"workload", series.workload},
          {"params", json_of(series.params)},
          {"metric", series.metric.name},
          {"unit", series.metric.unit},
          {"better", series.metric.better == Better::lower ? "lower" : "higher"},
          {"pairs", series.pairs},
          {"robust_sd", json_number(series.robust_sd)},
          {"sd", json_number(series.sd)},
          {"p95", json_number(series.p95)},
          {"worst", json_number(series.worst)},
          {"autocorrelation", json_number(series.autocorrelation)},
          {"block", series.block},
          {"seconds_per_pair", json_number(series.seconds_per_pair)},
          {"verdict", json_of(series.verdict)},
          {"threshold", json_number(series.threshold)},
          {"change", json_number(series.change)},
          {"interval", json_of(series.interval)},
          {"smallest_threshold", json_number(series.smallest_threshold)},
          {"visible", std::move(visible)},
          {"thresholds", thresholds_json(series.thresholds)},
          {"pair_changes", std::move(changes)}};
}

}  // namespace

std::string render_calibration_json(const Calibration& calibration) {
  Json series = Json::array();
  for (const CalibratedSeries& one : calibration.series) {
    series.push_back(series_json(one));
  }
  const bool dated = !calibration.generated_at.empty();
  return reporter::json_text(
      {{"schema", "perf-compare/calibration/1"},
       {"id", calibration.id},
       {"generated_at", dated ? Json(calibration.generated_at) : Json(nullptr)},
       {"tool", {{"version", calibration.tool_version}}},
       {"revision", json_of(calibration.revision)},
       {"environment",
        {{"fingerprint", calibration.environment.fingerprint},
         {"machine", calibration.environment.machine},
         {"facts", calibration.environment.facts}}},
       {"size", calibration.size},
       {"seed", calibration.seed},
       {"alpha", json_number(calibration.alpha)},
       {"looks", calibration.looks},
       {"judged", calibration.judged},
       {"replays", calibration.replays},
       {"measured", json_number(calibration.measured)},
       {"interrupted", calibration.interrupted},
       {"series", std::move(series)},
       {"reports", thresholds_json(calibration.reports)},
       {"not_measured", calibration.not_measured},
       {"warnings", reporter::warning_texts(calibration.warnings)},
       {"warning_details", reporter::warning_details(calibration.warnings)}});
}

}  // namespace perf

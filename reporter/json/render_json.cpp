#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {

std::string render_json(const Report& report) {
  return reporter::json_text(reporter::report_json(report));
}

std::string render_calibration_json(const Calibration& calibration) {
  Json json = json_of(calibration);
  json["schema"] = "perf-compare/calibration/1";
  json["warning_details"] = json_of(calibration.warnings);
  reporter::add_sentences(json, calibration.warnings);
  return reporter::json_text(json);
}

}  // namespace perf

#include "ci/cli/detect.h"

#include <string>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/output.h"
#include "ci/cli/session_files.h"
#include "reporter/render.h"
#include "schema/formats/series_file.h"

namespace perf {
namespace {

DetectedSeries detect(const NamedSeries& series, Scale scale) {
  DetectedSeries detected{series.name, {}};
  for (const FoundStep& step : find_steps(series.values, scale))
    detected.steps.push_back(step.index);
  return detected;
}

}  // namespace

int detect_command(const Options& options) {
  check_outputs(options);
  const Scale scale = options.linear_scale ? Scale::linear : Scale::log;
  std::vector<DetectedSeries> detected;
  for (const NamedSeries& series :
       formats::read_series_file(read_input(options.file), options.file))
    detected.push_back(detect(series, scale));
  write_text(options.json.empty() ? "-" : options.json, render_detection_json(detected));
  return kFine;
}

}  // namespace perf

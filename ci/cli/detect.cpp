#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "ci/cli/commands.h"
#include "ci/cli/end_command.h"
#include "ci/cli/output.h"
#include "ci/cli/session_files.h"
#include "reporter/render.h"
#include "schema/formats/series_file.h"
#include "schema/text_parts.h"

namespace perf {
namespace {

/// Series that are hardly what was meant; the answer stands all the same.
void warn_of_strange(const std::vector<NamedSeries>& all) {
  const auto empty =
      std::ranges::count_if(all, [](const NamedSeries& one) { return one.values.empty(); });
  const auto numbers = std::ranges::count_if(
      all, [](const NamedSeries& one) { return parsed<double>(one.name).has_value(); });
  if (empty > 0) {
    fmt::print(stderr,
               "warning: {} of {} series have no value: a line is a name, then its values\n", empty,
               all.size());
  }
  if (numbers > 0) {
    fmt::print(stderr, "warning: {} of {} names of series are numbers: a line begins with a name\n",
               numbers, all.size());
  }
}

}  // namespace

int detect_command(const Options& options, Spawner&) {
  const Scale scale = options.linear_scale ? Scale::linear : Scale::log;
  const std::vector<NamedSeries> all =
      formats::read_series_file(read_input(options.file), options.file);
  warn_of_strange(all);
  std::vector<DetectedSeries> detected;
  for (const NamedSeries& series : all) {
    detected.push_back({series.name, {}});
    for (const FoundStep& step : find_steps(series.values, scale)) {
      detected.back().steps.push_back(step.index);
    }
  }
  write_text(options.json.empty() ? "-" : options.json, render_detection_json(detected));
  return kFine;
}

}  // namespace perf

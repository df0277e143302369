#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "analyzer/judge/judge.h"
#include "ci/cli/commands.h"
#include "ci/cli/judge/judge.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "reporter/render.h"
#include "schema/detection.h"
#include "schema/error.h"
#include "schema/formats/series_file.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// Warns of series that are probably a mistake; they are searched all the same.
void warn_of_unlikely(const std::vector<NamedSeries>& all) {
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

/// On the log scale such a series is one gap, in which no step can be found.
void refuse_negative(const NamedSeries& series) {
  const auto is_negative = [](double value) { return std::isfinite(value) && value < 0; };
  const auto is_positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (std::ranges::any_of(series.values, is_negative) &&
      std::ranges::none_of(series.values, is_positive)) {
    throw UsageError("negative values have no logarithm", series.name, "pass --scale linear");
  }
}

}  // namespace

int detect_command(const Options& options, Spawner&) {
  const Scale scale = options.linear_scale ? Scale::linear : Scale::log;
  const std::vector<NamedSeries> all =
      formats::read_series_file(read_input(options.file), options.file);
  warn_of_unlikely(all);
  std::vector<DetectedSeries> detected;
  for (const NamedSeries& series : all) {
    if (scale == Scale::log) {
      refuse_negative(series);
    }
    detected.push_back({series.name, {}});
    for (const FoundStep& step : find_steps(series.values, scale)) {
      detected.back().steps.push_back(series.index_of(step.index));
    }
  }
  write_text(options.json.empty() ? "-" : options.json, render_detection_json(detected));
  return kFine;
}

}  // namespace perf

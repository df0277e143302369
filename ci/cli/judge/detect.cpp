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
#include "reporter/escape/terminal.h"
#include "reporter/render.h"
#include "schema/detection.h"
#include "schema/formats/series_file.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

std::size_t not_positive(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::ranges::count_if(
      values, [](double value) { return std::isfinite(value) && value <= 0; }));
}

/// Series of which a warning is given once.
struct Affected {
  std::size_t series = 0, values = 0;
  std::string first{};

  void add(const std::string& name, std::size_t count = 0) {
    first = series++ == 0 ? name : first;
    values += count;
  }
  void warn(const std::string& text) const {
    if (series > 0) {
      fmt::print(stderr, "warning: {} ({}{})\n", text, reporter::terminal_text(first),
                 series > 1 ? fmt::format(" and {} more", series - 1) : "");
    }
  }
};

}  // namespace

int detect_command(const Options& options, Spawner&) {
  Affected empty, gaps, linear;
  std::vector<DetectedSeries> detected;
  for (const NamedSeries& series :
       formats::read_series_file(read_input(options.file), options.file)) {
    const Scale scale = options.linear_scale ? Scale::linear : suited_scale(series.values);
    const std::size_t unlogged = options.linear_scale ? 0 : not_positive(series.values);
    if (unlogged > 0) {
      (scale == Scale::log ? gaps : linear).add(series.name, unlogged);
    }
    if (series.values.empty()) {
      empty.add(series.name);
    }
    detected.push_back({series.name, {}});
    for (const FoundStep& step : find_steps(series.values, scale)) {
      detected.back().steps.push_back(series.index_of(step.index));
    }
  }
  empty.warn("series without values: a line is a name, then its values");
  gaps.warn(counted(gaps.values, "value") + " of 0 or less left out; --scale linear has them");
  linear.warn(counted(linear.values, "value") + " of 0 or less: searched with --scale linear");
  write_text(options.json.empty() ? "-" : options.json, render_detection_json(detected));
  return kFine;
}

}  // namespace perf

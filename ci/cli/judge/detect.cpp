#include <fmt/core.h>

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

/// A level of the detector has so many points.
constexpr std::size_t kFewestOfLevel = 3;

/// What has no logarithm: values that are not positive.
struct NotPositive {
  std::size_t values = 0, positive = 0;
  bool is_level = false;  ///< so many in a row that they may be one

  /// As `trend`: they are gaps among values that are mostly positive.
  Scale scale() const { return is_level || positive <= values ? Scale::linear : Scale::log; }
};

NotPositive not_positive(const std::vector<double>& values) {
  NotPositive found;
  std::size_t in_a_row = 0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      in_a_row = value > 0 ? 0 : in_a_row + 1;
      ++(value > 0 ? found.positive : found.values);
      found.is_level = found.is_level || in_a_row >= kFewestOfLevel;
    }
  }
  return found;
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
    const NotPositive found = options.linear_scale ? NotPositive{} : not_positive(series.values);
    const Scale scale = options.linear_scale ? Scale::linear : found.scale();
    if (found.values > 0) {
      (scale == Scale::log ? gaps : linear).add(series.name, found.values);
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

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "ci/cli/commands.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/output.h"
#include "ci/cli/session_files.h"
#include "reporter/render.h"
#include "schema/formats/series_file.h"

namespace perf {
namespace {

DetectedSeries detect(const NamedSeries& series, Scale scale) {
  DetectedSeries detected{series.name, {}};
  for (const FoundStep& step : find_steps(series.values, scale)) {
    detected.steps.push_back(step.index);
  }
  return detected;
}

/// An exponent, a sign and a point are parts of a number.
bool is_number(const std::string& name) {
  double value = 0;
  const char* end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data(), end, value);
  return read == end && error == std::errc();
}

/// Series that are hardly what was meant; the answer stands all the same.
void warn_of_strange(const std::vector<NamedSeries>& all) {
  const auto empty =
      std::ranges::count_if(all, [](const NamedSeries& one) { return one.values.empty(); });
  const auto numbers =
      std::ranges::count_if(all, [](const NamedSeries& one) { return is_number(one.name); });
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
  check_outputs(options);
  const Scale scale = options.linear_scale ? Scale::linear : Scale::log;
  const std::vector<NamedSeries> all =
      formats::read_series_file(read_input(options.file), options.file);
  warn_of_strange(all);
  std::vector<DetectedSeries> detected;
  detected.reserve(all.size());
  for (const NamedSeries& series : all) {
    detected.push_back(detect(series, scale));
  }
  write_text(options.json.empty() ? "-" : options.json, render_detection_json(detected));
  return kFine;
}

}  // namespace perf

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reporter/openmetrics/exposition.h"
#include "reporter/render.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"

namespace perf {
namespace {

using namespace reporter;

Labels labels_of(const TrendSeries& series) {
  Labels labels{{"workload", series.key.workload},
                {"metric", series.metric.name},
                {"params", params_text(series.key.params)},
                {"fingerprint", series.key.fingerprint},
                {"anchor", series.key.anchor.empty() ? "" : anchor_text(series)}};
  if (!series.key.outside.empty()) {
    labels.emplace_back("outside", series.key.outside);
  }
  return labels;
}

/// Alerts of a series that stand: the counts of a stateset would be all zeros where all is well.
void add_alerts(const TrendSeries& series, const Labels& of_series, Exposition& text) {
  const std::vector<reporter::Finding> findings = findings_of(series);
  for (const AlertState state : {AlertState::fresh, AlertState::known, AlertState::reopened}) {
    Labels labels = of_series;
    labels.emplace_back("state", to_string(state));
    const auto count = std::ranges::count(findings, state, &reporter::Finding::state);
    text.gauge("perf_compare_series_alerts", "", "Open alerts of a series.", labels,
               static_cast<double>(count));
  }
}

void add_series(const TrendSeries& series, Labels labels, Exposition& text) {
  const bool anchored = !series.key.anchor.empty();
  const std::string unit = unit_of(series);
  text.gauge("perf_compare_points", "", "Commits measured in a series.", labels,
             static_cast<double>(series.points.size()));
  text.gauge("perf_compare_noise_ratio", "ratio", "Robust standard deviation of a point.", labels,
             series.noise);
  if (series.visible_step) {
    text.gauge("perf_compare_visible_step_ratio", "ratio",
               "The smallest step that would have been found within 10 points.", labels,
               *series.visible_step);
  }
  const std::optional<double> level = present_level(series);
  if (!level) {
    return;
  }
  if (!anchored && unit_name(unit).empty()) {
    labels.emplace_back("unit", unit);
  }
  text.gauge(anchored ? "perf_compare_level_ratio" : family_name("perf_compare_level", unit),
             anchored ? "ratio" : unit_name(unit),
             anchored ? "Present level of a series, as a ratio to its anchor."
                      : "Present level of a series.",
             labels, *level);
}

}  // namespace

std::string render_trend_openmetrics(const TrendReport& report) {
  Exposition text;
  text.info("perf_compare_trend", "Version and size of the history.",
            {{"version", report.tool_version}, {"size", report.size}});
  const TrendCounts counts = counts_of(report);
  for (const auto& [state, count] : {std::pair{"new", counts.fresh},
                                     {"known", counts.known},
                                     {"recovered", counts.recovered},
                                     {"withdrawn", counts.withdrawn},
                                     {"refuted", counts.refuted},
                                     {"reopened", counts.reopened},
                                     {"ignored", counts.ignored}}) {
    text.gauge("perf_compare_alerts", "", "Alerts by state.", {{"state", state}},
               static_cast<double>(count));
  }
  text.gauge("perf_compare_machine_events", "",
             "Machine events: many series of a machine moved together.", {},
             static_cast<double>(report.machine_events.size()));
  text.gauge("perf_compare_measured_commits", "", "Measured commits of the first-parent line.", {},
             static_cast<double>(report.measured));
  DistinctLabels distinct;
  for (const TrendSeries& series : report.series) {
    const Labels labels = distinct.of(labels_of(series), kMetricLabel);
    add_series(series, labels, text);
    add_alerts(series, labels, text);
  }
  return text.str();
}

}  // namespace perf

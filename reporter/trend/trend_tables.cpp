#include "reporter/trend/trend_tables.h"

#include <string>

#include "reporter/change.h"
#include "reporter/commit_phrase.h"
#include "reporter/quantity.h"
#include "reporter/trend/finding_phrases.h"
#include "reporter/trend/series_values.h"

namespace perf::reporter {
namespace {

Prose state_cell(const Finding& finding) {
  if (finding.step && finding.step->machine_event && finding.state == AlertState::none) {
    return {words("machine event")};
  }
  if (finding.state == AlertState::none) {
    return finding.worse ? Prose{words("no alert")} : Prose{{Tone::good, "improved"}};
  }
  const bool fresh = finding.state == AlertState::fresh;
  return {{fresh ? Tone::bad : Tone::plain, std::string(to_string(finding.state))}};
}

Row finding_row(const TrendReport& report, const Finding& finding, const SeriesNames& names) {
  const std::string levels = levels_text(finding);
  return {{names.workload(*finding.series),
           {name(finding.series->metric.name)},
           state_cell(finding),
           {number(levels.empty() ? "-" : levels)},
           {number(change_text(finding.change, finding.interval))},
           place_phrase(report, finding)}};
}

Row series_row(const TrendSeries& series, const SeriesNames& names) {
  const std::optional<double> level = present_level(series);
  return {{names.workload(series),
           {name(series.metric.name)},
           {number(std::to_string(series.points.size()))},
           {number(level ? quantity(*level, unit_of(series)) : "-")},
           {number(noise_text(series.noise))},
           {number(std::to_string(series.change_points.size()))},
           {number(history_line(series))}}};
}

}  // namespace

Table finding_table(const TrendReport& report, const std::vector<Finding>& findings,
                    const SeriesNames& names) {
  Table table;
  table.columns = {{"workload"},
                   {"metric"},
                   {"state"},
                   {"before and after", Align::right},
                   {"change", Align::right},
                   {"where"}};
  for (const Finding& finding : findings) {
    if (finding.kind != AlertKind::drift || finding.drift->beyond) {
      table.rows.push_back(finding_row(report, finding, names));
    }
  }
  return table;
}

Table series_table(const TrendReport& report, const SeriesNames& names) {
  Table table;
  table.columns = {{"workload"},
                   {"metric"},
                   {"points", Align::right},
                   {"now", Align::right},
                   {"noise", Align::right},
                   {"steps", Align::right},
                   {"the last 40"}};
  for (const TrendSeries& series : report.series) {
    table.rows.push_back(series_row(series, names));
  }
  return table;
}

Table trend_environment_table(const TrendReport& report) {
  Table table{{{"fact"}, {"value"}}, {}};
  const auto add = [&table](Prose fact, const std::string& value) {
    if (!value.empty()) {
      table.rows.push_back({{std::move(fact), {data(value)}}});
    }
  };
  for (const Environment& environment : report.environments) {
    add({words("machine")}, environment.fingerprint);
    for (const auto& [fact, value] : environment.machine) {
      add({name(fact)}, value);
    }
  }
  for (const Baseline& baseline : report.baselines) {
    add({words("baseline "), name(baseline.name)}, baseline.oid.substr(0, kShortOid) +
                                                       (baseline.reason.empty() ? "" : ", ") +
                                                       baseline.reason);
  }
  add({words("size")}, report.size);
  add({words("threshold of a drift")}, percentage(report.policy.threshold));
  add({words("smallest step that is an alert")},
      report.alert_threshold ? percentage(*report.alert_threshold) : "any that is found");
  add({words("perf-compare")}, report.tool_version);
  add({words("report")}, report.id);
  add({words("generated at")}, report.generated_at);
  return table;
}

}  // namespace perf::reporter

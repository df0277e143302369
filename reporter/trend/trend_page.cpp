#include <algorithm>
#include <string>
#include <utility>

#include "reporter/comparison/report_sections.h"
#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {
namespace {

/// "0.4 per 1,000 points if searched every night (8 in 20,000)"; "none if searched every
/// night (20,000 points)".
std::string replayed_phrase(double rate, std::uint64_t alarms, std::uint64_t points,
                            const std::string& how) {
  if (alarms == 0) {
    return "none " + how + " (" + grouped_digits(points) + " points)";
  }
  return rate_text(rate) + " per 1,000 points " + how + " (" + grouped_digits(alarms) + " in " +
         grouped_digits(points) + ")";
}

/// "false alarms in replays of this noise: 0.4 per 1,000 points if searched
/// every night (8 in 20,000), 0.06 per 1,000 points in one search of the whole history (12 in
/// 200,000); 0.1 expected in this report".
Prose false_alarm_line(const FalseAlarmRate& rate) {
  if (rate.points == 0) {
    return {dim("too few points to measure the false alarm rate")};
  }
  const std::string nightly = replayed_phrase(rate.per_1000_points_nightly, rate.nightly_alarms,
                                              rate.nightly_points, "if searched every night");
  const std::string once = replayed_phrase(rate.per_1000_points, rate.alarms, rate.points,
                                           "in one search of the whole history");
  const std::string expected =
      rate.alarms > 0 ? "; " + rate_text(rate.expected) + " expected in this report" : "";
  return {dim("false alarms in replays of this noise: " + nightly + ", " + once + expected)};
}

/// "312 of 5,000 commits measured up to 3f2a9c01d2e4 Use a map (Ada, 2026-01-31), size ci".
Prose where_line(const TrendReport& report, const TrendCounts& counts) {
  return joined(words(grouped_digits(report.measured) + " of " + grouped_digits(report.line) +
                      (report.line == 1 ? " commit" : " commits") + " measured up to "),
                commit_phrase(report.head), ", size ", data(report.size),
                dim("; " + counted(report.series.size(), "series", "series") + ", " +
                    grouped_digits(counts.points) + (counts.points == 1 ? " point" : " points")));
}

Prose machines_line(const TrendReport& report) {
  if (report.environments.size() == 1) {
    return machine_line(report.environments.front());
  }
  return {words(counted(report.environments.size(), "machine") + ", each with its own series")};
}

Section count_section(const TrendReport& report, const TrendCounts& counts) {
  Section section;
  section.lines = {where_line(report, counts)};
  if (!report.environments.empty()) {
    section.lines.push_back(machines_line(report));
  }
  if (!report.series.empty()) {
    section.lines.push_back(false_alarm_line(report.false_alarms));
  }
  for (const Warning& warning : report.warnings) {
    section.lines.push_back(warning_line(warning));
  }
  return section;
}

/// The headline of each comparison that was run to verify.
Section confirmation_section(const TrendReport& report) {
  Section section;
  for (const Report& comparison : report.confirmations) {
    section.lines.push_back(joined(
        strong("compared"), " ", data(comparison.base ? short_oid(comparison.base->oid) : "-"),
        " with ", data(short_oid(comparison.head.oid)), ": ", headline(comparison).front()));
  }
  return section;
}

Prose state_cell(const Finding& finding) {
  if (finding.step && finding.step->machine_event && finding.state == AlertState::none) {
    return {"machine event"};
  }
  if (finding.state == AlertState::none) {
    return finding.worse ? Prose{"no alert"} : Prose{good("improved")};
  }
  if (finding.state == AlertState::ignored && finding.decision) {
    return decision_phrase(*finding.decision);
  }
  const bool is_news = finding.state == AlertState::fresh || finding.state == AlertState::reopened;
  Prose cell{{is_news ? Tone::bad : Tone::plain, std::string(to_string(finding.state))}};
  if (finding.decision) {
    append(cell, "; ", decision_phrase(*finding.decision));
  }
  return cell;
}

Row finding_row(const TrendDigest& trend, const Finding& finding) {
  Row row{finding_cells(trend, finding)};
  row.cells.push_back({number(fixed(finding.evidence, 1))});
  const std::string chance = chance_text(finding.false_alarms);
  row.cells.push_back({number(chance.empty() ? "-" : chance)});
  row.cells.push_back(place_phrase(trend.report, finding));
  return row;
}

Row series_row(const TrendSeries& series, const SeriesNames& names) {
  const std::optional<double> level = present_level(series);
  return {{names.workload(series),
           {name(series.metric.name)},
           {number(std::to_string(series.points.size()))},
           {number(level ? quantity(*level, unit_of(series)) : "-")},
           {number(rough_percentage(series.noise))},
           {number(visible_text(series))},
           {number(std::to_string(series.change_points.size()))},
           {number(history_line(series))}}};
}

/// Every step, slope and drift beyond its threshold, with its state.
Table finding_table(const TrendDigest& trend) {
  Table table{{"workload", "metric", right("before and after"), right("change"), right("evidence"),
               right("false alarms per 1,000"), "where"}};
  std::vector<Prose> states;
  for (const Finding& finding : trend.findings) {
    if (finding.kind != AlertKind::drift || finding.drift->beyond) {
      table.rows.push_back(finding_row(trend, finding));
      states.push_back(state_cell(finding));
    }
  }
  insert_column(table, "before and after", "state", std::move(states));
  return table;
}

/// Every series: points, where it stands, its noise, the smallest step that it could have shown,
/// the last 40 points.
Table series_table(const TrendDigest& trend) {
  Table table{{"workload", "metric", right("points"), right("now"), right("noise"),
               right("visible step"), right("steps"), "the last 40"}};
  for (const TrendSeries& series : trend.report.series) {
    table.rows.push_back(series_row(series, trend.names));
  }
  return table;
}

/// The machines that the series are of, the baselines and the policy: fact, value.
Table environment_of(const TrendReport& report) {
  Table table{{"fact", "value"}};
  for (const Environment& environment : report.environments) {
    add_fact(table, {"machine"}, environment.fingerprint);
    add_facts(table, environment.machine);
  }
  for (const Baseline& baseline : report.baselines) {
    add_fact(table, {"baseline ", name(baseline.name)},
             short_oid(baseline.oid) + (baseline.reason.empty() ? "" : ", ") + baseline.reason);
  }
  add_fact(table, {"size"}, report.size);
  add_fact(table, {"threshold of a drift"}, percentage(report.policy.threshold));
  add_fact(table, {"smallest step that is an alert"},
           report.alert_threshold ? percentage(*report.alert_threshold) : "any that is found");
  add_fact(table, {"perf-compare"}, report.tool_version);
  add_fact(table, {"report"}, report.id);
  add_fact(table, {"generated at"}, report.generated_at);
  return table;
}

Document page_with(const TrendReport& report, bool drawn) {
  const TrendDigest trend(report);
  Document document{trend_mood(trend), trend_headline(trend)};
  const auto add = [&document](Section section) { keep(document.sections, std::move(section)); };
  Section alerts = new_alert_section(trend);
  if (drawn) {
    alerts.table = {};
  }
  add(std::move(alerts));
  add(confirmation_section(report));
  add({.lines = machine_event_lines(trend)});
  add(known_alert_section(trend));
  add({.lines = lesser_finding_lines(trend, drawn ? kInFullBelow : kInFullElsewhere)});
  add(count_section(report, trend.counts));
  add({.title = "All findings",
       .folded = true,
       .first_to_cut = true,
       .table = finding_table(trend)});
  if (!drawn) {
    add({.title = "All series",
         .folded = true,
         .first_to_cut = true,
         .table = series_table(trend)});
  }
  add({.title = "Machines, baselines and policy", .folded = true, .table = environment_of(report)});
  add({.title = "How to reproduce", .folded = true, .commands = report.reproduce});
  document.again = report.reproduce;
  return document;
}

}  // namespace

Document page_of(const TrendReport& report) {
  return page_with(report, false);
}

Document page_around_pictures(const TrendReport& report) {
  return page_with(report, true);
}

}  // namespace perf::reporter

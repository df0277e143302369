#include "reporter/trend/alert_sections.h"

#include <algorithm>
#include <string>
#include <utility>

#include "reporter/change.h"
#include "reporter/commit_phrase.h"
#include "reporter/trend/finding_phrases.h"
#include "reporter/trend/series_values.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShownKnown = 12;

/// "▁▁▂▁▁▇█▇  noise 0.8 % before, 1.1 % after".
Prose history_remark(const Finding& finding) {
  Prose remark{number(history_line(*finding.series, finding.step))};
  if (finding.step) {
    remark.push_back(dim("  noise " + noise_text(finding.step->noise_before) + " before, " +
                         noise_text(finding.step->noise_after) + " after"));
  } else {
    remark.push_back(dim("  noise " + noise_text(finding.series->noise)));
  }
  return remark;
}

Prose facts_remark(const ChangePoint& step) {
  Prose remark{{Tone::warn, "changed there"}, words(": ")};
  for (std::size_t i = 0; i < step.facts.size(); ++i) {
    remark.push_back(words(i == 0 ? "" : ", "));
    remark.push_back(data(step.facts[i]));
  }
  return remark;
}

Row alert_row(const TrendReport& report, const Finding& finding, const SeriesNames& names) {
  const std::string levels = levels_text(finding);
  Row row;
  row.cells = {names.workload(*finding.series),
               {name(finding.series->metric.name)},
               {number(levels.empty() ? "-" : levels)},
               {number(change_text(finding.change, finding.interval))}};
  row.subject = names.series(*finding.series);
  row.remarks = alert_remarks(report, finding);
  row.remarks.insert(row.remarks.begin() + 1, history_remark(finding));
  return row;
}

Prose known_line(const TrendReport& report, const Finding& finding, const SeriesNames& names) {
  Prose line{strong("known"), words(": ")};
  append(line, change_phrase(finding, names));
  line.push_back(words(", "));
  append(line, place_phrase(report, finding));
  const std::string day = first_seen_day(finding);
  if (!day.empty()) {
    line.push_back(words(", first shown "));
    line.push_back(data(day));
  }
  if (!confirmed_by(finding).empty()) {
    line.push_back(words(", confirmed"));
  } else if (!confirm_command(finding).empty()) {
    line.push_back(dim("; to make sure: "));
    line.push_back(command(confirm_command(finding)));
  }
  return line;
}

Prose refuted_line(const TrendReport& report, const Finding& finding, const SeriesNames& names) {
  Prose line{strong("refuted"), words(": a comparison found no regression of ")};
  append(line, change_phrase(finding, names));
  line.push_back(words(", "));
  append(line, place_phrase(report, finding));
  return line;
}

/// "recovered: `parser` `step_time` is back at the level of before +12.4 % at 3f2a9c01d2e4".
Prose closed_line(const TrendSeries& series, const ClosedAlert& closed, const SeriesNames& names) {
  const bool recovered = closed.state == AlertState::recovered;
  Prose line{{recovered ? Tone::good : Tone::strong, recovered ? "recovered" : "withdrawn"},
             words(": ")};
  append(line, names.series(series));
  line.push_back(
      words(recovered ? " is back where it was before " : ": later points do not bear out "));
  line.push_back(number(change_text(closed.alert.change)));
  line.push_back(words(" at "));
  line.push_back(data(closed.alert.oid.substr(0, kShortOid)));
  if (!closed.alert.events.empty()) {
    line.push_back(words(", first shown "));
    line.push_back(data(day_of(closed.alert.events.front().at)));
  }
  return line;
}

void add_findings(Section& section, const std::vector<Finding>& findings, const std::string& more,
                  const auto& line_of) {
  for (std::size_t i = 0; i < std::min(findings.size(), kShownKnown); ++i) {
    section.lines.push_back(line_of(findings[i]));
  }
  if (findings.size() > kShownKnown) {
    section.lines.push_back(
        {words(std::to_string(findings.size() - kShownKnown) + " more " + more)});
  }
}

}  // namespace

std::vector<Prose> alert_remarks(const TrendReport& report, const Finding& finding) {
  std::vector<Prose> remarks{place_phrase(report, finding)};
  if (finding.step && !finding.step->facts.empty()) {
    remarks.push_back(facts_remark(*finding.step));
  }
  if (!confirmed_by(finding).empty()) {
    remarks.push_back({{Tone::bad, "confirmed"},
                       words(" by the comparison "),
                       data(confirmed_by(finding).substr(0, kShortOid))});
  } else if (!confirm_command(finding).empty()) {
    remarks.push_back({dim("to make sure: "), command(confirm_command(finding))});
  }
  return remarks;
}

Section new_alert_section(const TrendReport& report, const std::vector<Finding>& findings,
                          const SeriesNames& names) {
  Section section;
  const std::vector<Finding> fresh = in_state(findings, AlertState::fresh);
  section.table.columns = {
      {"new alert"}, {"metric"}, {"before and after", Align::right}, {"change", Align::right}};
  for (std::size_t i = 0; i < std::min(fresh.size(), kShownAlerts); ++i) {
    section.table.rows.push_back(alert_row(report, fresh[i], names));
  }
  if (fresh.size() > kShownAlerts) {
    section.lines.push_back({words(std::to_string(fresh.size() - kShownAlerts) +
                                   " more new alerts, smaller ones (in full with --json or "
                                   "--markdown)")});
  }
  return section;
}

Section known_alert_section(const TrendReport& report, const std::vector<Finding>& findings,
                            const SeriesNames& names) {
  Section section;
  add_findings(section, in_state(findings, AlertState::known), "known alerts",
               [&](const Finding& finding) { return known_line(report, finding, names); });
  for (const TrendSeries& series : report.series) {
    for (const ClosedAlert& closed : series.closed) {
      section.lines.push_back(closed_line(series, closed, names));
    }
  }
  add_findings(section, in_state(findings, AlertState::refuted), "refuted alerts",
               [&](const Finding& finding) { return refuted_line(report, finding, names); });
  return section;
}

}  // namespace perf::reporter
